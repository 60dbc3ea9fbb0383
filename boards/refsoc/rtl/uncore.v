// SPDX-License-Identifier: Apache-2.0
// The reference SoC without its cores: RAM at 0x80000000, devices, and the bus between them and N harts.
// The RAM is one bank or several, word by word in turn. Port A of a bank serves instructions, port B data; each
// port, and the devices as a whole, take one access a cycle (crossbar.v). All harts leave reset together, at the start
// of the RAM; hart 0 can reset the others one by one (mailbox.rdl).
module uncore #(
	parameter N = 3,		// harts: 1 to 32. Hart 0 is the control processor
	parameter BANKS = 1,		// of the RAM: a power of 2; 1 if there is a RAM_FILE
	parameter RAM_BYTES = 65536,	// a multiple of 4 * BANKS
	parameter CLOCK_HZ = 10000000,	// what the mailbox block says
	parameter RAM_FILE = "",	// what the RAM begins with: see ram.v
	parameter LAUNCH = 0		// 1: there is a launch unit
) (
	input wire clk,
	input wire reset,
	input wire [N-1:0] i_valid,	// the bus of each hart: see arbiter.v
	output wire [N-1:0] i_ready,
	input wire [N*32-1:0] i_request,	// address
	output wire [N*33-1:0] i_answer,	// error, data
	input wire [N-1:0] d_valid,
	output wire [N-1:0] d_ready,
	input wire [N*68-1:0] d_request,	// bytes to write, data, address
	output wire [N*33-1:0] d_answer,
	output wire [N-1:0] msip,
	output wire [N-1:0] mtip,
	output wire [N-1:0] meip,
	output wire [N-1:0] hart_reset,
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
	output wire [31:0] finish_value
);
	localparam RAM_BASE = 32'h80000000;

	wire [N*32-1:0] i_to, d_to;
	wire [31:0] held;		// harts that hart 0 holds in reset
	wire cp_interrupt;
	assign meip = {{N-1{1'b0}}, cp_interrupt};

	genvar h;
	generate
		for (h = 0; h < N; h = h + 1) begin : g_hart
			assign hart_reset[h] = reset | (h != 0 && held[h]);
			// To a bank; data also to the devices, which come behind the banks. Each checks the bounds.
			wire [31:0] i_addr = i_request[32*h +: 32];
			wire [31:0] d_addr = d_request[68*h +: 32];
			assign i_to[32*h +: 32] = (i_addr >> 2) & (BANKS - 1);
			assign d_to[32*h +: 32] = d_addr[31:30] == 2'b10 ? (d_addr >> 2) & (BANKS - 1) : BANKS;
		end
	endgenerate

	wire [BANKS-1:0] i_access;
	wire [BANKS*32-1:0] i_chosen, unused_i_hart;
	wire [BANKS*33-1:0] i_found;
	crossbar #(.N(N), .T(BANKS), .BITS(32)) i_crossbar (
		.clk(clk), .reset(reset), .valid(i_valid), .ready(i_ready), .to(i_to), .request(i_request),
		.answer(i_answer), .t_valid(i_access), .t_request(i_chosen), .t_master(unused_i_hart), .t_answer(i_found)
	);
	wire [BANKS:0] d_access;
	wire [(BANKS+1)*68-1:0] d_chosen;
	wire [(BANKS+1)*32-1:0] d_hart;
	wire [(BANKS+1)*33-1:0] d_found;
	crossbar #(.N(N), .T(BANKS + 1), .BITS(68)) d_crossbar (
		.clk(clk), .reset(reset), .valid(d_valid), .ready(d_ready), .to(d_to), .request(d_request),
		.answer(d_answer), .t_valid(d_access), .t_request(d_chosen), .t_master(d_hart), .t_answer(d_found)
	);

	genvar b;
	generate
		for (b = 0; b < BANKS; b = b + 1) begin : g_bank
			wire [31:0] i_offset = i_chosen[32*b +: 32] - RAM_BASE;
			wire [31:0] d_offset = d_chosen[68*b +: 32] - RAM_BASE;
			wire i_in_ram = i_offset < RAM_BYTES;
			wire d_in_ram = d_offset < RAM_BYTES;
			reg i_missed, d_missed;
			always @(posedge clk) begin
				i_missed <= !i_in_ram;
				d_missed <= !d_in_ram;
			end
			assign i_found[33*b+32] = i_missed;
			assign d_found[33*b+32] = d_missed;
			ram #(.BYTES(RAM_BYTES / BANKS), .BANKS(BANKS), .FILE(RAM_FILE)) ram (
				.clk(clk),
				.a_enable(i_access[b] & i_in_ram), .a_word(i_offset[31:2]), .a_rdata(i_found[33*b +: 32]),
				.b_enable(d_access[b] & d_in_ram), .b_word(d_offset[31:2]),
				.b_wdata(d_chosen[68*b+32 +: 32]), .b_wstrb(d_chosen[68*b+64 +: 4]),
				.b_rdata(d_found[33*b +: 32])
			);
			wire unused = &{1'b0, i_offset[1:0], d_offset[1:0]};
		end
	endgenerate

	wire unused_idle, unused_done;
	devices #(.N(N), .RAM_BYTES(RAM_BYTES), .CLOCK_HZ(CLOCK_HZ), .LAUNCH(LAUNCH)) devices (
		.clk(clk), .reset(reset), .select(d_access[BANKS]), .addr(d_chosen[68*BANKS +: 32]),
		.wdata(d_chosen[68*BANKS+32 +: 32]), .wstrb(d_chosen[68*BANKS+64 +: 4]), .hart(d_hart[32*BANKS +: 32]),
		.rdata(d_found[33*BANKS +: 32]), .error(d_found[33*BANKS+32]), .msip(msip),
		.mtip(mtip), .meip(cp_interrupt), .idle(unused_idle), .done(unused_done), .hart_reset(held), .tx_valid(tx_valid), .tx_data(tx_data), .tx_ready(tx_ready),
		.rx_valid(rx_valid), .rx_data(rx_data), .rx_ready(rx_ready), .divisor(divisor),
		.host_ring(host_ring), .host_pending(host_pending), .host_taken(host_taken),
		.finish(finish), .finish_value(finish_value)
	);
	wire unused = &{1'b0, unused_i_hart, d_hart, held};
endmodule
