// SPDX-License-Identifier: Apache-2.0
// Ibex as a core of the reference SoC: rv32imc_zba_zbb_zbs, U-mode, 16 PMP entries of 4 bytes, no A: the configuration
// maxperf-pmp-bmbalanced of Ibex' ibex_configs.yaml, with the register file for FPGAs.
//
// Ibex begins at its boot address + 0x80, which cannot be the start of the RAM. So it begins in a ROM of this
// wrapper, at 0x7fffff80, which jumps there. The jump changes t0.
module core (
	input wire clk,
	input wire reset,
	input wire [31:0] hart,		// number, for mhartid
	output wire i_valid,		// the bus: see rtl/arbiter.v
	input wire i_ready,
	output wire [31:0] i_addr,
	input wire [31:0] i_rdata,
	input wire i_error,
	output wire d_valid,
	input wire d_ready,
	output wire [31:0] d_addr,	// of the byte, or of its word where the core gives no more
	output wire [31:0] d_wdata,
	output wire [3:0] d_wstrb,	// 0: read
	input wire [31:0] d_rdata,
	input wire d_error,
	input wire msip,
	input wire mtip,
	input wire meip,
	output wire sleeping
);
	localparam BOOT = 32'h7fffff00;

	wire i_request, d_request, d_write;
	wire [3:0] d_lanes;
	wire [31:0] i_word, d_word;
	reg i_answer, d_answer;		// there was an access in the last cycle
	reg rom_answer, rom_odd;

	// The two words of the ROM: lui t0, 0x80000; jr t0.
	wire in_rom = i_word[31:7] == {BOOT[31:8], 1'b1};
	wire [31:0] rom_data = rom_odd ? 32'h00028067 : 32'h800002b7;

	assign i_valid = i_request & !in_rom;
	assign i_addr = i_word;
	assign d_valid = d_request;
	assign d_addr = {d_word[31:2], d_lanes[0] ? 2'd0 : d_lanes[1] ? 2'd1 : d_lanes[2] ? 2'd2 : 2'd3};
	assign d_wstrb = d_write ? d_lanes : 4'd0;

	always @(posedge clk) begin
		i_answer <= !reset & (i_request & in_rom | i_ready);
		d_answer <= !reset & d_ready;
		rom_answer <= in_rom;
		rom_odd <= i_word[2];
	end

	ibex_top #(
		.PMPEnable(1'b1),
		.PMPGranularity(0),
		.PMPNumRegions(16),
		.RegFile(ibex_pkg::RegFileFPGA),
		.RV32M(ibex_pkg::RV32MSingleCycle),
		.RV32B(ibex_pkg::RV32BBalanced),
		.WritebackStage(1'b1),
		.BranchTargetALU(1'b1)
	) ibex (
		.clk_i(clk),
		.rst_ni(!reset),
		.test_en_i(1'b0),
		.ram_cfg_i('0),
		.hart_id_i(hart),
		.boot_addr_i(BOOT),
		.instr_req_o(i_request),
		.instr_gnt_i(i_request & in_rom | i_ready),
		.instr_rvalid_i(i_answer),
		.instr_addr_o(i_word),
		.instr_rdata_i(rom_answer ? rom_data : i_rdata),
		.instr_rdata_intg_i(7'd0),
		.instr_err_i(i_error & !rom_answer),
		.data_req_o(d_request),
		.data_gnt_i(d_ready),
		.data_rvalid_i(d_answer),
		.data_we_o(d_write),
		.data_be_o(d_lanes),
		.data_addr_o(d_word),
		.data_wdata_o(d_wdata),
		.data_wdata_intg_o(),
		.data_rdata_i(d_rdata),
		.data_rdata_intg_i(7'd0),
		.data_err_i(d_error),
		.irq_software_i(msip),
		.irq_timer_i(mtip),
		.irq_external_i(meip),
		.irq_fast_i(15'd0),
		.irq_nm_i(1'b0),
		.scramble_key_valid_i(1'b0),
		.scramble_key_i('0),
		.scramble_nonce_i('0),
		.scramble_req_o(),
		.debug_req_i(1'b0),
		.crash_dump_o(),
		.double_fault_seen_o(),
		.fetch_enable_i(ibex_pkg::IbexMuBiOn),
		.alert_minor_o(),
		.alert_major_internal_o(),
		.alert_major_bus_o(),
		.core_sleep_o(sleeping),
		.scan_rst_ni(1'b1)
	);
	wire unused = &{1'b0, d_word[1:0]};
endmodule

// Replaces the clock gate of the package: here the clock always runs. Ibex sleeps in wfi all the same, and clock
// gates cause trouble in FPGAs and simulators. As a consequence mcycle counts during wfi.
module prim_clock_gating (
	input wire clk_i,
	input wire en_i,
	input wire test_en_i,
	output wire clk_o
);
	assign clk_o = clk_i;
	wire unused = &{1'b0, en_i, test_en_i};
endmodule
