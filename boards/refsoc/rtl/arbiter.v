// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiter: serves one requesting master in each cycle. The master that was served last comes last in the
// next cycle, so each of N masters waits at most N - 1 cycles.
//
// The bus of the SoC: a master holds valid, addr, wdata and wstrb until ready. In the next cycle rdata and error are
// its answer: every slave answers in one cycle, and a master may make its next request in the cycle in which it gets
// an answer.
module arbiter #(
	parameter N = 3,		// masters
	parameter BITS = 68		// width of a request, which is passed on for the chosen master
) (
	input wire clk,
	input wire reset,
	input wire [N-1:0] valid,
	output wire [N-1:0] ready,	// one-hot, or 0
	input wire [N*BITS-1:0] request,
	output reg [BITS-1:0] chosen,	// request of the master that is ready, or 0
	output reg [31:0] master	// its number, or 0
);
	reg [N-1:0] later;		// masters with a number above that of the last one served
	wire [N-1:0] first = valid & later;
	wire [N-1:0] among = |first ? first : valid;

	assign ready = among & (~among + 1'b1);	// the lowest number

	always @(posedge clk) begin
		if (reset)
			later <= {N{1'b0}};
		else if (|valid)
			later <= ~(ready | (ready - 1'b1));
	end

	integer i;
	always @* begin
		master = 32'd0;
		chosen = {BITS{1'b0}};
		for (i = 0; i < N; i = i + 1)
			if (ready[i]) begin
				master = master | i;
				chosen = chosen | request[i*BITS +: BITS];
			end
	end
endmodule
