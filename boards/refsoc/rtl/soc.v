// SPDX-License-Identifier: Apache-2.0
// Reference SoC: N harts of one core (module `core` of the board's folder), and all the rest (uncore.v).
// The simulation connects the cores in its own way, with the same result (tests/rtl/sim/hart.v).
module soc #(
	parameter N = 3,		// harts: 1 to 32. Hart 0 is the control processor
	parameter BANKS = 1,		// of the RAM: a power of 2; 1 if there is a RAM_FILE
	parameter RAM_BYTES = 65536,	// a multiple of 4 * BANKS
	parameter CLOCK_HZ = 10000000,	// what the mailbox block says
	parameter RAM_FILE = "",	// what the RAM begins with: see ram.v
	parameter LAUNCH = 0		// 1: there is a launch unit
) (
	input wire clk,
	input wire reset,
	output wire tx_valid,		// console: see uart16550.v
	output wire [7:0] tx_data,
	input wire tx_ready,
	input wire rx_valid,
	input wire [7:0] rx_data,
	output wire rx_ready,
	output wire [15:0] divisor,
	input wire host_ring,		// doorbells: see mailbox.v
	output wire host_pending,
	input wire host_taken,
	output wire finish,		// finisher: see devices.v
	output wire [31:0] finish_value,
	output wire [N-1:0] sleeping	// harts that wait for an interrupt, as far as the core tells
);
	wire [N-1:0] i_valid, i_ready, d_valid, d_ready, msip, mtip, meip, hart_reset;
	wire [N*32-1:0] i_request;
	wire [N*68-1:0] d_request;
	wire [N*33-1:0] i_answer, d_answer;

	genvar h;
	generate
		for (h = 0; h < N; h = h + 1) begin : g_hart
			core core (
				.clk(clk), .reset(hart_reset[h]), .hart(h),
				.i_valid(i_valid[h]), .i_ready(i_ready[h]), .i_addr(i_request[32*h +: 32]),
				.i_rdata(i_answer[33*h +: 32]), .i_error(i_answer[33*h+32]),
				.d_valid(d_valid[h]), .d_ready(d_ready[h]), .d_addr(d_request[68*h +: 32]),
				.d_wdata(d_request[68*h+32 +: 32]), .d_wstrb(d_request[68*h+64 +: 4]),
				.d_rdata(d_answer[33*h +: 32]), .d_error(d_answer[33*h+32]),
				.msip(msip[h]), .mtip(mtip[h]), .meip(meip[h]), .sleeping(sleeping[h])
			);
		end
	endgenerate

	uncore #(.N(N), .BANKS(BANKS), .RAM_BYTES(RAM_BYTES), .CLOCK_HZ(CLOCK_HZ), .RAM_FILE(RAM_FILE), .LAUNCH(LAUNCH)) uncore (
		.clk(clk), .reset(reset), .i_valid(i_valid), .i_ready(i_ready), .i_request(i_request), .i_answer(i_answer),
		.d_valid(d_valid), .d_ready(d_ready), .d_request(d_request), .d_answer(d_answer), .msip(msip), .mtip(mtip),
		.meip(meip), .hart_reset(hart_reset), .tx_valid(tx_valid), .tx_data(tx_data), .tx_ready(tx_ready),
		.rx_valid(rx_valid), .rx_data(rx_data), .rx_ready(rx_ready), .divisor(divisor), .host_ring(host_ring),
		.host_pending(host_pending), .host_taken(host_taken), .finish(finish), .finish_value(finish_value)
	);
endmodule
