// SPDX-License-Identifier: Apache-2.0
// A core in the simulation, which has one model of it for all harts: code that is written once stays in the caches of
// the machine, and a hart that sleeps need not be computed (sim.cpp). What the rest of the SoC says is taken at the
// edge at which it begins to say so, and given to the core from there on: so an edge is computed once.
module hart (
	input wire clk,
	input wire [31:0] number,
	output wire i_valid,
	input wire i_ready,
	output wire [31:0] i_addr,
	output wire d_valid,
	input wire d_ready,
	output wire [31:0] d_addr,
	output wire [31:0] d_wdata,
	output wire [3:0] d_wstrb,
	output wire sleeping,
	input wire reset,		// from here on: of the next cycle
	input wire msip,
	input wire mtip,
	input wire meip,
	input wire [31:0] i_rdata,
	input wire i_error,
	input wire [31:0] d_rdata,
	input wire d_error
);
	reg reset_now, msip_now, mtip_now, meip_now, i_error_now, d_error_now;
	reg [31:0] i_rdata_now, d_rdata_now;

	always @(posedge clk) begin
		reset_now <= reset;
		msip_now <= msip;
		mtip_now <= mtip;
		meip_now <= meip;
		i_rdata_now <= i_rdata;
		i_error_now <= i_error;
		d_rdata_now <= d_rdata;
		d_error_now <= d_error;
	end

	core core (
		.clk(clk), .reset(reset_now), .hart(number), .i_valid(i_valid), .i_ready(i_ready), .i_addr(i_addr),
		.i_rdata(i_rdata_now), .i_error(i_error_now), .d_valid(d_valid), .d_ready(d_ready), .d_addr(d_addr),
		.d_wdata(d_wdata), .d_wstrb(d_wstrb), .d_rdata(d_rdata_now), .d_error(d_error_now), .msip(msip_now),
		.mtip(mtip_now), .meip(meip_now), .sleeping(sleeping)
	);
endmodule
