// SPDX-License-Identifier: Apache-2.0
// Connects N masters to T targets. Each target serves one master in each cycle, by an arbiter of its own, so a master
// waits only for those that want the same target: at most N - 1 cycles. The bus is that of arbiter.v; answers are
// 33 bits, the error and the data.
module crossbar #(
	parameter N = 3,		// masters
	parameter T = 1,		// targets
	parameter BITS = 68		// width of a request
) (
	input wire clk,
	input wire reset,
	input wire [N-1:0] valid,
	output wire [N-1:0] ready,
	input wire [N*32-1:0] to,	// the target that each master wants, below T
	input wire [N*BITS-1:0] request,
	output wire [N*33-1:0] answer,
	output wire [T-1:0] t_valid,	// the target has an access
	output wire [T*BITS-1:0] t_request,
	output wire [T*32-1:0] t_master,	// number of the master whose access it is
	input wire [T*33-1:0] t_answer	// in the next cycle
);
	wire [T*N-1:0] wanted, granted;	// bit t * N + m: master m, target t

	genvar m, t;
	generate
		for (t = 0; t < T; t = t + 1) begin : g_target
			for (m = 0; m < N; m = m + 1) begin : g_wanted
				assign wanted[N*t+m] = valid[m] && to[32*m +: 32] == t;
			end
			assign t_valid[t] = |wanted[N*t +: N];
			arbiter #(.N(N), .BITS(BITS)) arbiter (
				.clk(clk), .reset(reset), .valid(wanted[N*t +: N]), .ready(granted[N*t +: N]),
				.request(request), .chosen(t_request[BITS*t +: BITS]), .master(t_master[32*t +: 32])
			);
		end
		for (m = 0; m < N; m = m + 1) begin : g_master
			wire [T-1:0] mine;
			reg [31:0] from;	// the target that was wanted in the last cycle
			for (t = 0; t < T; t = t + 1) begin : g_mine
				assign mine[t] = granted[N*t+m];
			end
			assign ready[m] = |mine;
			assign answer[33*m +: 33] = t_answer[33*from +: 33];
			always @(posedge clk)
				from <= to[32*m +: 32];
		end
	endgenerate
endmodule
