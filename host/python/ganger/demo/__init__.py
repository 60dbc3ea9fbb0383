# SPDX-License-Identifier: Apache-2.0
"""The project's main job, `make run`: a picture and two matrix products on a device, checked.

    python -m ganger.demo --board qemu-virt64 --sms 8 --out build/run
"""
