// SPDX-License-Identifier: Apache-2.0
// The launch unit and the CLINT whose msip it sets, each with a port of its own, so that both can be accessed in one cycle.
module bench #(
	parameter N = 32
) (
	input wire clk,
	input wire reset,
	input wire select,
	input wire [5:0] addr,
	input wire [31:0] wdata,
	input wire [3:0] wstrb,
	input wire [31:0] hart,
	output wire [31:0] rdata,
	output wire error,
	output wire [N-1:0] ring,
	output wire idle,
	output wire done,
	input wire clears,		// a hart clears its msip
	input wire [4:0] clears_hart,
	output wire [N-1:0] msip
);
	wire [31:0] unused_rdata;
	wire [N-1:0] unused_mtip;

	launch #(.N(N)) launch (
		.clk(clk), .reset(reset), .select(select), .addr(addr), .wdata(wdata), .wstrb(wstrb), .hart(hart),
		.rdata(rdata), .error(error), .ring(ring), .idle(idle), .done(done)
	);
	clint #(.N(N)) clint (
		.clk(clk), .reset(reset), .select(clears), .addr({9'd0, clears_hart, 2'd0}), .wdata(32'd0), .wstrb(4'hf),
		.rdata(unused_rdata), .ring(ring), .msip(msip), .mtip(unused_mtip)
	);
endmodule
