// SPDX-License-Identifier: Apache-2.0
// The devices of the SoC, at the addresses of QEMU's `virt`:
//   0x00100000  finisher: a write ends the simulation. 0x5555 is success, 0x3333 | code << 16 a failure
//   0x02000000  CLINT (64 KiB)
//   0x10000000  16550, byte-wide registers
//   0x10020000  mailbox block
//   0x10021000  launch unit; reads 0 in a SoC without one
//   0xfffffff0  number of the hart that reads; at 0xfffffff4 a word of memory of its own for each hart. Both
//               are within reach of x0, so a trap handler needs no free register and no mscratch for them
// All devices answer also at addresses that are 0xc0000000 higher (CLINT at 0xc2000000 ...), for cores that cache
// everything below 0x80000000. Any other address answers with an error.
module devices #(
	parameter N = 3,		// harts
	parameter RAM_BYTES = 0,
	parameter CLOCK_HZ = 0,
	parameter LAUNCH = 0		// 1: there is a launch unit
) (
	input wire clk,
	input wire reset,
	input wire select,		// an access, for one cycle
	input wire [31:0] addr,
	input wire [31:0] wdata,
	input wire [3:0] wstrb,		// 0: read
	input wire [31:0] hart,		// who accesses
	output reg [31:0] rdata,	// in the next cycle
	output reg error,
	output wire [N-1:0] msip,
	output wire [N-1:0] mtip,
	output wire meip,		// of hart 0
	output wire idle,		// of the launch unit: see launch.rdl
	output wire done,
	output wire [31:0] hart_reset,	// harts that are held in reset; bit 0 means nothing
	output wire tx_valid,
	output wire [7:0] tx_data,
	input wire tx_ready,
	input wire rx_valid,
	input wire [7:0] rx_data,
	output wire rx_ready,
	output wire [15:0] divisor,
	input wire host_ring,
	output wire host_pending,
	input wire host_taken,
	output reg finish,		// stays 1
	output reg [31:0] finish_value
);
	wire [31:0] place = {addr[31] ^ addr[30] ? addr[31:30] : 2'd0, addr[29:0]};
	wire unused = &{1'b0, place[1:0]};
	wire at_finisher = place[31:2] == 30'h00040000;
	wire at_clint = place[31:16] == 16'h0200;
	wire at_uart = place[31:3] == 29'h02000000;
	wire at_mailbox = place[31:7] == 25'h0200400;
	wire at_launch = place[31:6] == 26'h0400840;
	wire at_whoami = place[31:2] == 30'h0ffffffc;
	wire at_scratch = place[31:2] == 30'h0ffffffd;
	wire [31:0] clint_rdata, uart_rdata, mailbox_rdata, launch_rdata;
	wire [N-1:0] ring;
	wire mailbox_error, launch_error, uart_interrupt, mailbox_interrupt;

	assign meip = uart_interrupt | mailbox_interrupt;

	clint #(.N(N)) clint (
		.clk(clk), .reset(reset), .select(select & at_clint), .addr(addr[15:0]), .wdata(wdata),
		.wstrb(wstrb), .rdata(clint_rdata), .ring(ring), .msip(msip), .mtip(mtip)
	);
	uart16550 uart (
		.clk(clk), .reset(reset), .select(select & at_uart), .addr(addr[2:0]), .wdata(wdata),
		.wstrb(wstrb), .rdata(uart_rdata), .interrupt(uart_interrupt), .tx_valid(tx_valid),
		.tx_data(tx_data), .tx_ready(tx_ready), .rx_valid(rx_valid), .rx_data(rx_data),
		.rx_ready(rx_ready), .divisor(divisor)
	);
	mailbox #(.N(N), .RAM_BYTES(RAM_BYTES), .CLOCK_HZ(CLOCK_HZ)) mailbox (
		.clk(clk), .reset(reset), .select(select & at_mailbox), .addr(addr[6:0]), .wdata(wdata),
		.wstrb(wstrb), .hart(hart), .rdata(mailbox_rdata), .error(mailbox_error),
		.interrupt(mailbox_interrupt), .host_ring(host_ring), .host_pending(host_pending),
		.host_taken(host_taken), .hart_reset(hart_reset)
	);
	generate
		if (LAUNCH != 0) begin : g_launch
			launch #(.N(N)) launch (
				.clk(clk), .reset(reset), .select(select & at_launch), .addr(addr[5:0]), .wdata(wdata),
				.wstrb(wstrb), .hart(hart), .rdata(launch_rdata), .error(launch_error), .ring(ring),
				.idle(idle), .done(done)
			);
		end else begin : g_no_launch
			assign launch_rdata = 32'd0;
			assign launch_error = 1'b0;
			assign ring = {N{1'b0}};
			assign idle = 1'b1;
			assign done = 1'b1;
		end
	endgenerate

	reg [31:0] scratch [0:N-1];
	reg [31:0] scratch_rdata;
	integer i;
	always @* begin
		scratch_rdata = 32'd0;
		for (i = 0; i < N; i = i + 1)
			if (hart == i)
				scratch_rdata = scratch[i];
	end
	genvar h;
	generate
		for (h = 0; h < N; h = h + 1) begin : g_scratch
			always @(posedge clk)
				if (select && at_scratch && wstrb == 4'hf && hart == h)
					scratch[h] <= wdata;
		end
	endgenerate

	always @(posedge clk) begin
		if (reset) begin
			finish <= 1'b0;
			finish_value <= 32'd0;
		end else if (select && at_finisher && wstrb != 4'd0 && !finish) begin
			finish <= 1'b1;
			finish_value <= wdata;
		end
		if (select) begin
			rdata <= (at_clint ? clint_rdata : 32'd0) | (at_uart ? uart_rdata : 32'd0)
				| (at_mailbox ? mailbox_rdata : 32'd0) | (at_launch ? launch_rdata : 32'd0) | (at_whoami ? hart : 32'd0)
				| (at_scratch ? scratch_rdata : 32'd0);
			error <= at_mailbox ? mailbox_error : at_launch ? launch_error : !(at_finisher | at_clint | at_uart | at_whoami | at_scratch);
		end
	end
endmodule
