/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/wave/wave_out.h"

struct wave wave_out[CP_SLOTS];
uint32_t wave_serial;
bool wave_wanted;
