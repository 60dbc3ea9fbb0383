// SPDX-License-Identifier: Apache-2.0
// Launch unit on the bus of the SoC: connects the registers that PeakRDL generates from launch.rdl, and hands out the
// interrupts. An access and what it does are one cycle, so an interrupt is never there before what it is about.
//
// `idle` and `done` are functions of the registers themselves and of nothing else: there is no other place in which an
// interrupt, a bell or a count could be (tests/rtl/launch_unit has the proof).
module launch #(
	parameter N = 3			// harts, 1 to 32
) (
	input wire clk,
	input wire reset,
	input wire select,		// an access, for one cycle
	input wire [5:0] addr,		// byte, from the start of the block
	input wire [31:0] wdata,
	input wire [3:0] wstrb,		// 0: read
	input wire [31:0] hart,		// who accesses
	output wire [31:0] rdata,	// in the same cycle
	output wire error,
	output wire [N-1:0] ring,	// msip of these harts is to be set, for one cycle
	output wire idle,		// see launch.rdl
	output wire done
);
	localparam WAVES = 8;		// counters LEFT

	launch_regs_pkg::launch_regs__in_t in;
	launch_regs_pkg::launch_regs__out_t out;
	wire write = |wstrb;
	wire read_error, write_error;
	wire unused_stall_write, unused_stall_read, unused_read_ack, unused_write_ack;

	// Interrupts that were asked for: the lowest one in each cycle in which RING is not written and the pace allows it.
	wire [31:0] waiting = out.RING.harts.value;
	wire [31:0] lowest = waiting & (~waiting + 32'd1);
	wire writes_ring = select & write & addr[5:2] == 4'h2;
	wire hand_out = waiting != 32'd0 && pause == 5'd0 && !writes_ring;
	reg [4:0] pause;		// cycles until the next one

	always @(posedge clk) begin
		if (reset)
			pause <= 5'd0;
		else if (hand_out)
			pause <= out.PACE.cycles.value;
		else if (pause != 5'd0)
			pause <= pause - 5'd1;
	end

	// Counts: the SM that takes the last one rings.
	wire [5*WAVES-1:0] counts = {
		out.LEFT7.sms.value, out.LEFT6.sms.value, out.LEFT5.sms.value, out.LEFT4.sms.value,
		out.LEFT3.sms.value, out.LEFT2.sms.value, out.LEFT1.sms.value, out.LEFT0.sms.value
	};
	wire [4:0] count = counts[5*addr[4:2] +: 5];
	wire counts_down = select & !write & addr[5] & hart != 32'd0 & count != 5'd0;
	wire [WAVES-1:0] takes = counts_down ? 8'd1 << addr[4:2] : 8'd0;
	wire [4:0] fewer = count - 5'd1;

	assign in.LEFT0.sms.we = takes[0];
	assign in.LEFT1.sms.we = takes[1];
	assign in.LEFT2.sms.we = takes[2];
	assign in.LEFT3.sms.we = takes[3];
	assign in.LEFT4.sms.we = takes[4];
	assign in.LEFT5.sms.we = takes[5];
	assign in.LEFT6.sms.we = takes[6];
	assign in.LEFT7.sms.we = takes[7];
	assign in.LEFT0.sms.next = fewer;
	assign in.LEFT1.sms.next = fewer;
	assign in.LEFT2.sms.next = fewer;
	assign in.LEFT3.sms.next = fewer;
	assign in.LEFT4.sms.next = fewer;
	assign in.LEFT5.sms.next = fewer;
	assign in.LEFT6.sms.next = fewer;
	assign in.LEFT7.sms.next = fewer;

	wire bell = select & write & addr[5:2] == 4'h4 | counts_down & count == 5'd1;

	assign in.BELL.harts.we = bell;
	assign in.BELL.harts.next = out.BELL.harts.value | 32'd1 << hart[4:0];
	assign in.RING.harts.we = hand_out;
	assign in.RING.harts.next = waiting & ~lowest;
	assign ring = {N{hand_out}} & lowest[N-1:0] | {{N-1{1'b0}}, bell};

	assign done = waiting == 32'd0 && counts == {5*WAVES{1'b0}};
	assign idle = done && out.BELL.harts.value == 32'd0;
	assign in.STATUS.idle.next = idle;
	assign in.STATUS.done.next = done;
	assign error = write ? write_error : read_error;

	launch_regs registers (
		.clk(clk),
		.rst(reset),
		.s_cpuif_req(select),
		.s_cpuif_req_is_wr(write),
		.s_cpuif_addr({addr[5:2], 2'd0}),
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
`ifdef FORMAL
`include "proof.vh"
`endif
endmodule
