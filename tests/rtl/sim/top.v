// SPDX-License-Identifier: Apache-2.0
// Top of the simulation: all of the SoC but the cores (sim.cpp has those), and a trace of what its harts access while `trace` is 1. A line is
//   <cycle> <hart> i <address>                      an instruction fetch
//   <cycle> <hart> r <address> <data> [error]       a read, in the cycle of its answer
//   <cycle> <hart> w <address> <data> <strobe> [error]
//   <cycle> ring                                    the host's doorbell
module top #(
	parameter N = 3,
	parameter BANKS = 1,
	parameter RAM_BYTES = 4194304,
	parameter CLOCK_HZ = 10000000,
	parameter LAUNCH = 0
) (
	input wire clk,
	input wire reset,
	input wire trace,
	input wire [N-1:0] i_valid,	// of each hart: see uncore.v
	output wire [N-1:0] i_ready,
	input wire [31:0] i_addr [0:N-1],
	output wire [31:0] i_rdata [0:N-1],
	output wire [N-1:0] i_error,
	input wire [N-1:0] d_valid,
	output wire [N-1:0] d_ready,
	input wire [31:0] d_addr [0:N-1],
	input wire [31:0] d_wdata [0:N-1],
	input wire [3:0] d_wstrb [0:N-1],
	output wire [31:0] d_rdata [0:N-1],
	output wire [N-1:0] d_error,
	output wire [N-1:0] msip,
	output wire [N-1:0] mtip,
	output wire [N-1:0] meip,
	output wire [N-1:0] hart_reset,
	input wire [N-1:0] sleeping,
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
	wire [N*32-1:0] i_request;
	wire [N*68-1:0] d_request;
	wire [N*33-1:0] i_answer, d_answer;

	genvar g;
	generate
		for (g = 0; g < N; g = g + 1) begin : g_hart
			assign i_request[32*g +: 32] = i_addr[g];
			assign d_request[68*g +: 68] = {d_wstrb[g], d_wdata[g], d_addr[g]};
			assign {i_error[g], i_rdata[g]} = i_answer[33*g +: 33];
			assign {d_error[g], d_rdata[g]} = d_answer[33*g +: 33];
		end
	endgenerate

	uncore #(.N(N), .BANKS(BANKS), .RAM_BYTES(RAM_BYTES), .CLOCK_HZ(CLOCK_HZ), .LAUNCH(LAUNCH)) uncore (
		.clk(clk), .reset(reset), .i_valid(i_valid), .i_ready(i_ready), .i_request(i_request), .i_answer(i_answer),
		.d_valid(d_valid), .d_ready(d_ready), .d_request(d_request), .d_answer(d_answer), .msip(msip), .mtip(mtip),
		.meip(meip), .hart_reset(hart_reset), .tx_valid(tx_valid), .tx_data(tx_data), .tx_ready(tx_ready),
		.rx_valid(rx_valid), .rx_data(rx_data), .rx_ready(rx_ready), .divisor(unused_divisor),
		.host_ring(host_ring), .host_pending(host_pending), .host_taken(host_taken),
		.finish(finish), .finish_value(finish_value)
	);

	// The accesses of the last cycle, whose answers are there now.
	reg [N-1:0] d_was;
	reg [N*68-1:0] d_last;
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
			for (h = 0; h < N; h = h + 1) begin
				if (i_ready[h])
					$display("%0d %0d i %08x", cycle, h, i_addr[h]);
				if (d_was[h] && d_last[68*h+64 +: 4] == 4'd0)
					$write("%0d %0d r %08x %08x", cycle, h, d_last[68*h +: 32], d_rdata[h]);
				else if (d_was[h])
					$write("%0d %0d w %08x %08x %b", cycle, h, d_last[68*h +: 32],
						d_last[68*h+32 +: 32], d_last[68*h+64 +: 4]);
				if (d_was[h] && d_error[h])
					$display(" error");
				else if (d_was[h])
					$display("");
			end
			d_was <= d_ready;
			d_last <= d_request;
		end
	end
endmodule
