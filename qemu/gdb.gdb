# SPDX-License-Identifier: Apache-2.0
# GDB set-up for a device that waits at port 1234. From the root of the repository:
#   gdb-multiarch -x qemu/gdb.gdb build/qemu-virt64/cp.elf -ex 'add-symbol-file build/qemu-virt64/sm.elf'
set confirm off
set pagination off
set print pretty on

define harts
	info threads
end
document harts
Where every hart is. Thread 1 is the control processor, thread i + 2 is SM i.
end

define traps
	info registers mcause mepc mtval mstatus mie mip
end
document traps
The trap registers of the current hart.
end

target remote 127.0.0.1:1234

# Harts stop and go on together; a step moves one of them only. Needs a target.
set schedule-multiple on
set scheduler-locking step
