// SPDX-License-Identifier: Apache-2.0
// RAM with two ports, each answers in the next cycle: A only reads (instructions), B reads and writes (data).
// Made of the block RAM of an FPGA. What A reads of a word that B writes in the same cycle is undefined.
// The simulation has another module of this name (tests/rtl/sim/ram.v).
module ram #(
	parameter BYTES = 65536,	// a multiple of 4
	parameter BANKS = 1,		// a power of 2: this is one of so many, and has every BANKS-th word of the whole
	parameter FILE = ""		// words in hexadecimal to start with, one a line, or none
) (
	input wire clk,
	input wire a_enable,
	input wire [29:0] a_word,	// from the start of the whole RAM, and in it when enabled
	output reg [31:0] a_rdata,
	input wire b_enable,
	input wire [29:0] b_word,
	input wire [31:0] b_wdata,
	input wire [3:0] b_wstrb,	// bytes to write; 0: read
	output reg [31:0] b_rdata
);
	localparam BITS = $clog2(BYTES / 4);
	localparam SKIP = $clog2(BANKS);
	localparam WORDS = BYTES / 4;

	(* no_rw_check *)		// otherwise yosys builds in the old word, with twice the blocks
	reg [31:0] words [0:WORDS-1];
	wire [BITS-1:0] a_index = a_word[SKIP +: BITS];
	wire [BITS-1:0] b_index = b_word[SKIP +: BITS];
	wire unused = &{1'b0, a_word, b_word};

	generate
		if (FILE != "") begin : g_start
			initial $readmemh(FILE, words);
		end
	endgenerate

	always @(posedge clk) begin
		if (a_enable)
			a_rdata <= words[a_index];
	end

	integer i;
	always @(posedge clk) begin
		if (b_enable) begin
			for (i = 0; i < 4; i = i + 1)
				if (b_wstrb[i])
					words[b_index][8*i +: 8] <= b_wdata[8*i +: 8];
			b_rdata <= words[b_index];
		end
	end
endmodule
