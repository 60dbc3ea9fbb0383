/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of domains (S1-R2, S1-R4). SMs are sorted by their groups. Wherever the GPC, CPC or TPC differs from that
 * of the SM before, a new domain begins. So domains are numbered in the order of their groups, and those inside a
 * larger one follow each other. */
#include "firmware/cp/sms/sm_tree.h"

#include <assert.h>
#include <string.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/sms/sm_state.h"

#define GPCS_MAX    32u  /* a TMD's mask of GPCs has 32 bits */
#define NUMBERS     256u /* numbers of CPCs and TPCs are bytes in CONFIG.group */
#define DOMAINS_MAX (1u + GPCS_MAX + 2u * CP_SMS)
#define PARTS_MAX   (CP_SM_WORDS + 3u * CP_SMS)

static struct sm_domain domains[DOMAINS_MAX]; /* the GPU, then GPCs, CPCs and TPCs */
static struct sm_tree_part parts[PARTS_MAX];
static uint16_t index_of[SM_TREE_KINDS][CP_SMS]; /* index of the domain, by kind and rank */
static uint16_t order[CP_SMS];                   /* ranks, sorted by group */
static uint16_t spare[CP_SMS];
static struct sm_domain *first_of[SM_TREE_KINDS];
static uint32_t count_of[SM_TREE_KINDS];

/* The number, as in CONFIG.group, of the domain of a kind in which the SM of a rank lies. */
static uint32_t number_of(enum gg_domain kind, uint32_t rank)
{
	const uint32_t sm = sm_state_sm(rank);

	switch (kind) {
	case GG_DOMAIN_GPC:
		return sm_state_gpc(sm);
	case GG_DOMAIN_CPC:
		return sm_state_cpc(sm);
	case GG_DOMAIN_TPC:
		return sm_state_tpc(sm);
	default:
		return 0;
	}
}

/* A stable counting sort. To sort by GPC, CPC and TPC, it is called for TPC, then CPC, then GPC. */
static void sort_by(enum gg_domain kind)
{
	uint16_t places[NUMBERS + 1] = { 0 };

	for (uint32_t at = 0; at < device.sms_count; at++) {
		places[number_of(kind, order[at]) + 1]++;
	}
	for (uint32_t number = 1; number <= NUMBERS; number++) {
		places[number] = (uint16_t)(places[number] + places[number - 1]);
	}
	for (uint32_t at = 0; at < device.sms_count; at++) {
		spare[places[number_of(kind, order[at])]++] = order[at];
	}
	memcpy(order, spare, device.sms_count * sizeof(order[0]));
}

/* The largest kind of domain that two SMs do not share, by rank; SM_TREE_KINDS when they share all. */
static uint32_t parting(uint32_t left, uint32_t right)
{
	uint32_t kind = GG_DOMAIN_GPC;

	while (kind < SM_TREE_KINDS &&
	       number_of((enum gg_domain)kind, left) == number_of((enum gg_domain)kind, right)) {
		kind++;
	}
	return kind;
}

/* Sets index_of[][] and count_of[]. */
static void number_domains(void)
{
	for (uint32_t kind = 0; kind < SM_TREE_KINDS; kind++) {
		count_of[kind] = 0;
	}
	for (uint32_t at = 0; at < device.sms_count; at++) {
		const uint32_t from = at == 0 ? GG_DOMAIN_GPU : parting(order[at - 1], order[at]);

		for (uint32_t kind = from; kind < SM_TREE_KINDS; kind++) {
			count_of[kind]++;
		}
		for (uint32_t kind = 0; kind < SM_TREE_KINDS; kind++) {
			index_of[kind][order[at]] = (uint16_t)(count_of[kind] - 1);
		}
	}
	assert(count_of[GG_DOMAIN_GPC] <= GPCS_MAX);
}

static void add_child(struct sm_domain *domain, uint32_t child)
{
	if (domain->children == 0) {
		domain->first_child = (uint16_t)child;
	}
	domain->children = (uint16_t)(child - domain->first_child + 1);
}

static void fill_domains(enum gg_domain kind)
{
	for (uint32_t at = 0; at < device.sms_count; at++) {
		const uint32_t rank = order[at];
		struct sm_domain *domain = &first_of[kind][index_of[kind][rank]];

		domain->sms++;
		domain->number = (uint16_t)number_of(kind, rank);
		if (kind < GG_DOMAIN_TPC) {
			add_child(domain, index_of[kind + 1][rank]);
		}
	}
}

/* The walk is in order of rank, so the ranks of a domain that lie in one word follow each other. */
static void fill_parts(enum gg_domain kind, struct sm_tree_part *first)
{
	for (uint32_t rank = 0; rank < device.sms_count; rank++) {
		struct sm_domain *domain = &first_of[kind][index_of[kind][rank]];
		struct sm_tree_part *next = &first[domain->parts - first] + domain->parts_count;

		if (domain->parts_count == 0 || next[-1].word != rank / 32) {
			*next = (struct sm_tree_part){ .word = (uint16_t)(rank / 32) };
			domain->parts_count++;
			next++;
		}
		next[-1].ranks |= 1u << rank % 32;
	}
}

/* A domain has at most as many parts as it has SMs, and as a bitmap has words. Returns the part behind those of the
 * last domain of the kind. */
static struct sm_tree_part *allot_parts(enum gg_domain kind, struct sm_tree_part *first)
{
	for (uint32_t index = 0; index < count_of[kind]; index++) {
		struct sm_domain *domain = &first_of[kind][index];

		domain->parts = first;
		first += domain->sms < device.sm_words ? domain->sms : device.sm_words;
	}
	return first;
}

void sm_tree_build(void)
{
	struct sm_domain *domain = domains;
	struct sm_tree_part *part = parts;

	for (uint32_t rank = 0; rank < device.sms_count; rank++) {
		order[rank] = (uint16_t)rank;
	}
	sort_by(GG_DOMAIN_TPC);
	sort_by(GG_DOMAIN_CPC);
	sort_by(GG_DOMAIN_GPC);
	number_domains();
	memset(domains, 0, sizeof(domains));
	for (uint32_t kind = 0; kind < SM_TREE_KINDS; kind++) {
		struct sm_tree_part *first = part;

		first_of[kind] = domain;
		domain += count_of[kind];
		fill_domains((enum gg_domain)kind);
		part = allot_parts((enum gg_domain)kind, first);
		fill_parts((enum gg_domain)kind, first);
	}
}

uint32_t sm_tree_count(enum gg_domain kind)
{
	return count_of[kind];
}

const struct sm_domain *sm_tree_domain(enum gg_domain kind, uint32_t index)
{
	return &first_of[kind][index];
}

uint32_t sm_tree_index(enum gg_domain kind, uint32_t rank)
{
	return index_of[kind][rank];
}

struct sm_tree_range sm_tree_inside(enum gg_domain kind, uint32_t index, enum gg_domain inner)
{
	struct sm_tree_range range = { .first = index, .count = 1 };

	for (uint32_t at = kind; at < (uint32_t)inner; at++) {
		const struct sm_domain *first = &first_of[at][range.first];
		const struct sm_domain *last = first + range.count - 1;

		range.first = first->first_child;
		range.count = last->first_child + last->children - range.first;
	}
	return range;
}
