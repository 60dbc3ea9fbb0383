// SPDX-License-Identifier: Apache-2.0
// Reference SoC: N harts of one core (module `core` of the board's folder), RAM at 0x80000000, devices.
// Port A of the RAM serves the instructions of all harts, port B and the devices their data; each port
// takes one access a cycle (arbiter.v). All harts leave reset together, at the start of the RAM;
// hart 0 can reset the others one by one (mailbox.rdl).
module soc #(
	parameter N = 3,		// harts: 1 to 32. Hart 0 is the control processor
	parameter RAM_BYTES = 65536,	// a multiple of 4
	parameter CLOCK_HZ = 10000000,	// what the mailbox block says
	parameter RAM_FILE = ""		// what the RAM begins with: see ram.v
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
	localparam RAM_BASE = 32'h80000000;

	wire [N-1:0] i_valid, i_ready, d_valid, d_ready, msip, mtip;
	wire [N*32-1:0] i_request;
	wire [N*68-1:0] d_request;
	wire [31:0] i_rdata, d_rdata;
	wire [31:0] hart_reset;
	wire i_error, d_error, meip;

	genvar h;
	generate
		for (h = 0; h < N; h = h + 1) begin : g_hart
			core core (
				.clk(clk), .reset(h == 0 ? reset : reset | hart_reset[h]), .hart(h),
				.i_valid(i_valid[h]), .i_ready(i_ready[h]), .i_addr(i_request[32*h +: 32]),
				.i_rdata(i_rdata), .i_error(i_error),
				.d_valid(d_valid[h]), .d_ready(d_ready[h]), .d_addr(d_request[68*h +: 32]),
				.d_wdata(d_request[68*h+32 +: 32]), .d_wstrb(d_request[68*h+64 +: 4]),
				.d_rdata(d_rdata), .d_error(d_error),
				.msip(msip[h]), .mtip(mtip[h]), .meip(h == 0 ? meip : 1'b0),
				.sleeping(sleeping[h])
			);
		end
	endgenerate

	// Instructions.
	wire [31:0] i_addr;
	wire [31:0] unused_i_hart;
	wire [31:0] i_offset = i_addr - RAM_BASE;
	wire i_in_ram = i_offset < RAM_BYTES;
	arbiter #(.N(N), .BITS(32)) i_arbiter (
		.clk(clk), .reset(reset), .valid(i_valid), .ready(i_ready), .request(i_request),
		.chosen(i_addr), .master(unused_i_hart)
	);

	// Data.
	wire [31:0] d_addr, d_wdata, d_hart;
	wire [3:0] d_wstrb;
	wire d_access = |d_ready;
	wire [31:0] d_offset = d_addr - RAM_BASE;
	wire d_in_ram = d_offset < RAM_BYTES;
	arbiter #(.N(N), .BITS(68)) d_arbiter (
		.clk(clk), .reset(reset), .valid(d_valid), .ready(d_ready), .request(d_request),
		.chosen({d_wstrb, d_wdata, d_addr}), .master(d_hart)
	);

	// Who answers in this cycle.
	reg i_missed, d_from_ram;
	wire [31:0] d_ram_rdata, device_rdata;
	wire device_error;
	always @(posedge clk) begin
		i_missed <= !i_in_ram;
		d_from_ram <= d_in_ram;
	end
	assign i_error = i_missed;
	assign d_rdata = d_from_ram ? d_ram_rdata : device_rdata;
	assign d_error = !d_from_ram & device_error;

	ram #(.BYTES(RAM_BYTES), .FILE(RAM_FILE)) ram (
		.clk(clk),
		.a_enable(|i_ready & i_in_ram), .a_word(i_offset[31:2]), .a_rdata(i_rdata),
		.b_enable(d_access & d_in_ram), .b_word(d_offset[31:2]), .b_wdata(d_wdata),
		.b_wstrb(d_wstrb), .b_rdata(d_ram_rdata)
	);
	devices #(.N(N), .RAM_BYTES(RAM_BYTES), .CLOCK_HZ(CLOCK_HZ)) devices (
		.clk(clk), .reset(reset), .select(d_access & !d_in_ram), .addr(d_addr), .wdata(d_wdata),
		.wstrb(d_wstrb), .hart(d_hart), .rdata(device_rdata), .error(device_error), .msip(msip),
		.mtip(mtip), .meip(meip), .hart_reset(hart_reset), .tx_valid(tx_valid), .tx_data(tx_data), .tx_ready(tx_ready),
		.rx_valid(rx_valid), .rx_data(rx_data), .rx_ready(rx_ready), .divisor(divisor),
		.host_ring(host_ring), .host_pending(host_pending), .host_taken(host_taken),
		.finish(finish), .finish_value(finish_value)
	);
	wire unused = &{1'b0, i_offset[1:0], d_offset[1:0], unused_i_hart, hart_reset};
endmodule
