// SPDX-License-Identifier: Apache-2.0
// CV32E40P as a core of the reference SoC: rv32imc, machine mode only, no PMP, no A; without its F and its own instructions.
//
// It has no input for bus errors: a read where no memory is gives 0, an instruction fetched there is 0xffffffff, which is illegal.
module core (
	input wire clk,
	input wire reset,
	input wire [31:0] hart,		// number, for mhartid
	output wire i_valid,		// the bus: see rtl/arbiter.v of refsoc
	input wire i_ready,
	output wire [31:0] i_addr,
	input wire [31:0] i_rdata,
	input wire i_error,
	output wire d_valid,
	input wire d_ready,
	output wire [31:0] d_addr,	// of the byte
	output wire [31:0] d_wdata,
	output wire [3:0] d_wstrb,	// 0: read
	input wire [31:0] d_rdata,
	input wire d_error,
	input wire msip,
	input wire mtip,
	input wire meip,
	output wire sleeping
);
	localparam RAM = 32'h80000000;

	wire d_write;
	wire [3:0] d_lanes;
	reg i_answer, d_answer;		// there was an access in the last cycle

	assign d_wstrb = d_write ? d_lanes : 4'd0;
	wire unused = &{1'b0, d_error};

	always @(posedge clk) begin
		i_answer <= !reset & i_ready;
		d_answer <= !reset & d_ready;
	end

	cv32e40p_top cpu (
		.clk_i(clk),
		.rst_ni(!reset),
		.pulp_clock_en_i(1'b0),
		.scan_cg_en_i(1'b0),
		.boot_addr_i(RAM),
		.mtvec_addr_i(RAM),
		.dm_halt_addr_i(RAM),
		.hart_id_i(hart),
		.dm_exception_addr_i(RAM),
		.instr_req_o(i_valid),
		.instr_gnt_i(i_ready),
		.instr_rvalid_i(i_answer),
		.instr_addr_o(i_addr),
		.instr_rdata_i(i_error ? ~32'd0 : i_rdata),
		.data_req_o(d_valid),
		.data_gnt_i(d_ready),
		.data_rvalid_i(d_answer),
		.data_we_o(d_write),
		.data_be_o(d_lanes),
		.data_addr_o(d_addr),
		.data_wdata_o(d_wdata),
		.data_rdata_i(d_rdata),
		.irq_i({20'd0, meip, 3'd0, mtip, 3'd0, msip, 3'd0}),
		.irq_ack_o(),
		.irq_id_o(),
		.debug_req_i(1'b0),
		.debug_havereset_o(),
		.debug_running_o(),
		.debug_halted_o(),
		.fetch_enable_i(1'b1),
		.core_sleep_o(sleeping)
	);
endmodule

// Replaces the clock gate of the package: here the clock always runs. The core sleeps in wfi all the same, and clock
// gates cause trouble in FPGAs and simulators. As a consequence mcycle counts during wfi.
module cv32e40p_clock_gate (
	input wire clk_i,
	input wire en_i,
	input wire scan_cg_en_i,
	output wire clk_o
);
	assign clk_o = clk_i;
	wire unused = &{1'b0, en_i, scan_cg_en_i};
endmodule
