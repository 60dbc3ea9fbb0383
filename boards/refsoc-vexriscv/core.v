// SPDX-License-Identifier: Apache-2.0
// VexRiscv, netlist VexRiscv_IMAC, as a core of the reference SoC: rv32imc, machine mode only, no PMP. Of A it
// has lr.w and sc.w, which do not see the writes of other harts, and no AMO: build without A.
//
// Its bus is classic Wishbone: an access is asked for until it is acknowledged. The netlist ignores bus
// errors: a read where no memory is gives 0, an instruction fetched there is 0xffffffff, which is illegal.
module core (
	input wire clk,
	input wire reset,
	input wire [31:0] hart,		// not used: this core has no mhartid
	output wire i_valid,		// the bus: see rtl/arbiter.v of refsoc
	input wire i_ready,
	output wire [31:0] i_addr,
	input wire [31:0] i_rdata,
	input wire i_error,
	output wire d_valid,
	input wire d_ready,
	output wire [31:0] d_addr,	// of the word: this core does not give the byte
	output wire [31:0] d_wdata,
	output wire [3:0] d_wstrb,	// 0: read
	input wire [31:0] d_rdata,
	input wire d_error,
	input wire msip,
	input wire mtip,
	input wire meip,
	output wire sleeping		// always 0: this core does not show it
);
	wire i_strobe, d_strobe, d_write;
	wire [3:0] d_lanes;
	reg i_answer, d_answer;		// there was an access in the last cycle

	assign i_valid = i_strobe & !i_answer;
	assign d_valid = d_strobe & !d_answer;
	assign i_addr[1:0] = 2'd0;
	assign d_addr[1:0] = 2'd0;
	assign d_wstrb = d_write ? d_lanes : 4'd0;
	assign sleeping = 1'b0;
	wire unused = &{1'b0, hart};

	always @(posedge clk) begin
		i_answer <= !reset & i_ready;
		d_answer <= !reset & d_ready;
	end

	VexRiscv cpu (
		.externalResetVector(32'h80000000),
		.timerInterrupt(mtip),
		.softwareInterrupt(msip),
		.externalInterruptArray({31'd0, meip}),	// masked by CSR 0xbc0, which is 0 after reset
		.iBusWishbone_CYC(),
		.iBusWishbone_STB(i_strobe),
		.iBusWishbone_ACK(i_answer),
		.iBusWishbone_WE(),
		.iBusWishbone_ADR(i_addr[31:2]),
		.iBusWishbone_DAT_MISO(i_error ? ~32'd0 : i_rdata),
		.iBusWishbone_DAT_MOSI(),
		.iBusWishbone_SEL(),
		.iBusWishbone_ERR(i_error),
		.iBusWishbone_CTI(),
		.iBusWishbone_BTE(),
		.dBusWishbone_CYC(),
		.dBusWishbone_STB(d_strobe),
		.dBusWishbone_ACK(d_answer),
		.dBusWishbone_WE(d_write),
		.dBusWishbone_ADR(d_addr[31:2]),
		.dBusWishbone_DAT_MISO(d_rdata),
		.dBusWishbone_DAT_MOSI(d_wdata),
		.dBusWishbone_SEL(d_lanes),
		.dBusWishbone_ERR(d_error),
		.dBusWishbone_CTI(),
		.dBusWishbone_BTE(),
		.clk(clk),
		.reset(reset)
	);
endmodule
