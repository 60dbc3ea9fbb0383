/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The tree of the SMs against searches in the table of groups.
 */
#ifndef TESTS_UNIT_TREE_CHECK_H
#define TESTS_UNIT_TREE_CHECK_H

/* Each domain has the SMs of its group and no others, and inside it are the domains that should be. */
void tree_check(void);

#endif /* TESTS_UNIT_TREE_CHECK_H */
