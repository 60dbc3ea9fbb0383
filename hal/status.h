/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Results of the hardware layer. The numbers are those of the RISC-V SBI, so that they read the
 * same in OpenSBI's documents. They never reach the host: firmware turns them into its own.
 */
#ifndef HAL_STATUS_H
#define HAL_STATUS_H

enum hal_status {
	HAL_OK = 0,
	HAL_ERR_UNSUPPORTED = -2,       /**< This board cannot do that. */
	HAL_ERR_INVALID_PARAM = -3,     /**< An argument is out of its range. */
	HAL_ERR_ALREADY_AVAILABLE = -6, /**< The hart runs, or is about to. */
};

/** The result of the function has to be looked at. */
#define HAL_CHECKED __attribute__((warn_unused_result))

#endif /* HAL_STATUS_H */
