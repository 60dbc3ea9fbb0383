/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 of messages of one block (up to 55 bytes), one for each work-item. */
#define ROR(x, n) rotate((x), (uint)(32 - (n)))
#define CH(x, y, z)  bitselect(z, y, x)
#define MAJ(x, y, z) bitselect(x, y, (x) ^ (z))
#define S0(x) (ROR(x, 2) ^ ROR(x, 13) ^ ROR(x, 22))
#define S1(x) (ROR(x, 6) ^ ROR(x, 11) ^ ROR(x, 25))
#define R0(x) (ROR(x, 7) ^ ROR(x, 18) ^ ((x) >> 3))
#define R1(x) (ROR(x, 17) ^ ROR(x, 19) ^ ((x) >> 10))

__constant uint K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
__constant uint FIRST[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

void block_of(__private uint *w, __global const uchar *text, uint length)
{
	for (int i = 0; i < 16; i++) {
		w[i] = 0;
	}
	for (uint i = 0; i < length; i++) {
		w[i / 4] |= (uint)text[i] << (24 - 8 * (i % 4));
	}
	w[length / 4] |= 0x80u << (24 - 8 * (length % 4));
	w[15] = length * 8;
	for (int i = 16; i < 64; i++) {
		w[i] = R1(w[i - 2]) + w[i - 7] + R0(w[i - 15]) + w[i - 16];
	}
}

__kernel void sha256(__global const uchar *texts, __global const uint *lengths, uint stride,
		     __global uint *digests)
{
	size_t me = get_global_id(0);
	uint w[64], s[8];

	block_of(w, texts + me * stride, lengths[me]);
	for (int i = 0; i < 8; i++) {
		s[i] = FIRST[i];
	}
	for (int i = 0; i < 64; i++) {
		uint t1 = s[7] + S1(s[4]) + CH(s[4], s[5], s[6]) + K[i] + w[i];
		uint t2 = S0(s[0]) + MAJ(s[0], s[1], s[2]);

		for (int k = 7; k > 0; k--) {
			s[k] = s[k - 1];
		}
		s[4] += t1;
		s[0] = t1 + t2;
	}
	for (int i = 0; i < 8; i++) {
		digests[me * 8 + i] = FIRST[i] + s[i];
	}
}
