/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Answers of the functions clGet…Info: where an answer goes, and tables of answers that never change.
 */
#ifndef HOST_OPENCL_INFO_H
#define HOST_OPENCL_INFO_H

#include <stdint.h>

#include "host/opencl/base.h"

/** Where the answer to a question goes. Both pointers may be NULL. */
struct answer {
	size_t size;
	void *value;
	size_t *size_ret;
};

/** Gives bytes. @return CL_INVALID_VALUE: there is less room than that. */
cl_int info_bytes(const struct answer *answer, const void *data, size_t bytes);

/** Gives a string with its 0. @return as above. */
cl_int info_text(const struct answer *answer, const char *text);

/** Gives one value of a type. */
#define INFO_VALUE(answer, type, number) \
	info_bytes(answer, &(const type){ (type)(number) }, sizeof(type))

enum info_kind {
	INFO_UINT,
	INFO_ULONG,
	INFO_SIZE,
	INFO_TEXT,
	INFO_NOTHING
};

/** An answer that never changes. */
struct info_row {
	cl_uint name;
	enum info_kind kind;
	uint64_t number;
	const char *text;
};

/** Gives the answer of a table. @return CL_INVALID_VALUE: nobody knows this question. */
cl_int info_row(const struct info_row *rows, size_t count, cl_uint name,
		const struct answer *answer);

/** Gives names with their versions, `{ "name", version }` each: names are cut after 63 bytes.
 * @param names  Words with spaces between them. */
cl_int info_versions(const struct answer *answer, const char *names, cl_version version);

#endif /* HOST_OPENCL_INFO_H */
