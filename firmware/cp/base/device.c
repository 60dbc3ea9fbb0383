/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/base/device.h"

struct device device;
