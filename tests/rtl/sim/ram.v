// SPDX-License-Identifier: Apache-2.0
// RAM of the simulation: as boards/refsoc/rtl/ram.v, but its words are in memory of the simulator (sim.cpp),
// so a file may be mapped there and the host sees every write at once.
module ram #(
	parameter BYTES = 65536,
	parameter BANKS = 1,
	parameter FILE = ""
) (
	input wire clk,
	input wire a_enable,
	input wire [29:0] a_word,
	output reg [31:0] a_rdata,
	input wire b_enable,
	input wire [29:0] b_word,
	input wire [31:0] b_wdata,
	input wire [3:0] b_wstrb,
	output reg [31:0] b_rdata
);
	import "DPI-C" function int sim_ram_read(input int word);
	import "DPI-C" function void sim_ram_write(input int word, input int data, input int strobe);

	wire unused = BYTES == 0 || BANKS == 0 || FILE == "";	// the simulator knows the size and the image

	always @(posedge clk) begin
		if (a_enable)
			a_rdata <= sim_ram_read({2'd0, a_word});
		if (b_enable) begin
			if (b_wstrb == 4'd0)
				b_rdata <= sim_ram_read({2'd0, b_word});
			else
				sim_ram_write({2'd0, b_word}, b_wdata, {28'd0, b_wstrb});
		end
	end
endmodule
