// SPDX-License-Identifier: Apache-2.0
// Mailbox block on the bus of the SoC: connects the registers that PeakRDL generates from mailbox.rdl. It knows who has
// MUTEX0, so that a hart that is reset does not keep it.
module mailbox #(
	parameter N = 3,		// harts
	parameter RAM_BYTES = 0,
	parameter CLOCK_HZ = 0
) (
	input wire clk,
	input wire reset,
	input wire select,		// an access, for one cycle
	input wire [6:0] addr,		// byte, from the start of the block
	input wire [31:0] wdata,
	input wire [3:0] wstrb,		// 0: read
	input wire [31:0] hart,		// who accesses
	output wire [31:0] rdata,	// in the same cycle
	output wire error,
	output wire interrupt,		// the host has rung and hart 0 has not cleared it
	input wire host_ring,		// the host rings, one cycle a time
	output wire host_pending,	// hart 0 has rung
	input wire host_taken,		// the host has seen it
	output wire [31:0] hart_reset	// harts that are held in reset
);
	mailbox_regs_pkg::mailbox_regs__in_t in;
	mailbox_regs_pkg::mailbox_regs__out_t out;
	wire write = |wstrb;
	wire read_error, write_error;
	wire unused_stall_write, unused_stall_read, unused_read_ack, unused_write_ack;

	wire taken = out.MUTEX0.taken.value;
	reg [4:0] owner;		// of MUTEX0, while it is taken

	always @(posedge clk)
		if (select && !write && addr[6:2] == 5'h10 && !taken)
			owner <= hart[4:0];

	assign in.MUTEX0.taken.hwclr = taken & hart_reset[owner];
	assign in.WHOAMI.hart.next = hart;
	assign in.HARTS.count.next = N;
	assign in.RAM_BYTES.bytes.next = RAM_BYTES;
	assign in.CLOCK_HZ.hz.next = CLOCK_HZ;
	assign in.TO_CP.pending.hwset = host_ring;
	assign in.TO_HOST.pending.hwclr = host_taken;
	assign interrupt = out.TO_CP.pending.value;
	assign host_pending = out.TO_HOST.pending.value;
	assign hart_reset = out.RESET.harts.value;
	assign error = write ? write_error : read_error;

	mailbox_regs registers (
		.clk(clk),
		.rst(reset),
		.s_cpuif_req(select),
		.s_cpuif_req_is_wr(write),
		.s_cpuif_addr({addr[6:2], 2'd0}),
		.s_cpuif_wr_data(wdata),
		.s_cpuif_wr_biten({{8{wstrb[3]}}, {8{wstrb[2]}}, {8{wstrb[1]}}, {8{wstrb[0]}}}),
		.s_cpuif_req_stall_wr(unused_stall_write),
		.s_cpuif_req_stall_rd(unused_stall_read),
		.s_cpuif_rd_ack(unused_read_ack),
		.s_cpuif_rd_err(read_error),
		.s_cpuif_rd_data(rdata),
		.s_cpuif_wr_ack(unused_write_ack),
		.s_cpuif_wr_err(write_error),
		.hwif_in(in),
		.hwif_out(out)
	);
	wire unused = &{1'b0, addr[1:0]};
endmodule
