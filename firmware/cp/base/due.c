/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/base/due.h"

uint32_t due_stages;
