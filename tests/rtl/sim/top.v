// SPDX-License-Identifier: Apache-2.0
// Top of the simulation: the SoC, and a trace of what its harts access while `trace` is 1. A line is
//   <cycle> <hart> i <address>                      an instruction fetch
//   <cycle> <hart> r <address> <data> [error]       a read, in the cycle of its answer
//   <cycle> <hart> w <address> <data> <strobe> [error]
//   <cycle> ring                                    the host's doorbell
module top #(
	parameter N = 3,
	parameter RAM_BYTES = 4194304,
	parameter CLOCK_HZ = 10000000
) (
	input wire clk,
	input wire reset,
	input wire trace,
	output wire tx_valid,
	output wire [7:0] tx_data,
	input wire tx_ready,
	input wire rx_valid,
	input wire [7:0] rx_data,
	output wire rx_ready,
	input wire host_ring,
	output wire host_pending,
	input wire host_taken,
	output wire finish,
	output wire [31:0] finish_value
);
	wire [15:0] unused_divisor;
	wire [N-1:0] sleeping;

	soc #(.N(N), .RAM_BYTES(RAM_BYTES), .CLOCK_HZ(CLOCK_HZ)) soc (
		.clk(clk), .reset(reset), .tx_valid(tx_valid), .tx_data(tx_data), .tx_ready(tx_ready),
		.rx_valid(rx_valid), .rx_data(rx_data), .rx_ready(rx_ready), .divisor(unused_divisor),
		.host_ring(host_ring), .host_pending(host_pending), .host_taken(host_taken),
		.finish(finish), .finish_value(finish_value), .sleeping(sleeping)
	);

	// The access of the last cycle, whose answer is there now.
	reg d_was;
	reg [31:0] d_addr, d_wdata, d_hart;
	reg [3:0] d_wstrb;
	reg [63:0] cycle = 64'd0;
	reg [N-1:0] slept = {N{1'b0}};
	integer h;

	always @(posedge clk) begin
		cycle <= cycle + 64'd1;
		if (trace) begin
			if (host_ring)
				$display("%0d ring", cycle);
			slept <= sleeping;
			if (slept != sleeping)
				$display("%0d sleeping %b", cycle, sleeping);
			for (h = 0; h < N; h = h + 1)
				if (soc.i_ready[h])
					$display("%0d %0d i %08x", cycle, h, soc.i_addr);
			if (d_was && d_wstrb == 4'd0)
				$write("%0d %0d r %08x %08x", cycle, d_hart, d_addr, soc.d_rdata);
			else if (d_was)
				$write("%0d %0d w %08x %08x %b", cycle, d_hart, d_addr, d_wdata, d_wstrb);
			if (d_was && soc.d_error)
				$display(" error");
			else if (d_was)
				$display("");
			d_was <= soc.d_access;
			d_addr <= soc.d_addr;
			d_wdata <= soc.d_wdata;
			d_wstrb <= soc.d_wstrb;
			d_hart <= soc.d_hart;
		end
	end
endmodule
