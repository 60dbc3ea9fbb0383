// SPDX-License-Identifier: Apache-2.0
// Core-local interruptor, as in QEMU's `virt`: msip of hart h at +4h, mtimecmp at +0x4000 + 8h, mtime at
// +0xbff8. mtime counts cycles of the clock. Beyond the last hart: reads 0, writes are ignored, no error;
// so software finds how many harts there are by writing msip and reading it back.
module clint #(
	parameter N = 3			// harts
) (
	input wire clk,
	input wire reset,
	input wire select,		// an access, for one cycle
	input wire [15:0] addr,		// from the start of the block
	input wire [31:0] wdata,
	input wire [3:0] wstrb,		// 0: read. Only whole words are written
	output reg [31:0] rdata,	// in the same cycle
	input wire [N-1:0] ring,	// sets msip of these harts, also when it is cleared in this cycle: see launch.v
	output wire [N-1:0] msip,
	output reg [N-1:0] mtip
);
	reg [63:0] mtime;
	reg [63:0] mtimecmp [0:N-1];
	reg [N-1:0] software;
	assign msip = software;

	wire write = select & (wstrb == 4'hf);
	wire in_msip = addr[15:14] == 2'd0;
	wire in_mtime = addr[15:3] == 13'h17ff;
	wire in_mtimecmp = addr[15:14] == 2'd1;
	wire unused = &{1'b0, addr[1:0]};

	always @(posedge clk) begin
		if (reset)
			mtime <= 64'd0;
		else if (write && in_mtime && addr[2])
			mtime <= {wdata, mtime[31:0]};
		else if (write && in_mtime)
			mtime <= {mtime[63:32], wdata};
		else
			mtime <= mtime + 64'd1;
	end

	genvar h;
	generate
		for (h = 0; h < N; h = h + 1) begin : g_hart
			wire mine = {20'd0, addr[13:2]} == h;
			wire mine64 = {21'd0, addr[13:3]} == h;

			always @(posedge clk) begin
				if (reset)
					software[h] <= 1'b0;
				else if (ring[h])
					software[h] <= 1'b1;
				else if (write && in_msip && mine)
					software[h] <= wdata[0];
				// All ones after reset: no interrupt until there is a deadline.
				if (reset)
					mtimecmp[h] <= ~64'd0;
				else if (write && in_mtimecmp && mine64 && addr[2])
					mtimecmp[h][63:32] <= wdata;
				else if (write && in_mtimecmp && mine64)
					mtimecmp[h][31:0] <= wdata;
				mtip[h] <= !reset && mtime >= mtimecmp[h];
			end
		end
	endgenerate

	integer i;
	always @* begin
		rdata = 32'd0;
		if (in_mtime)
			rdata = addr[2] ? mtime[63:32] : mtime[31:0];
		for (i = 0; i < N; i = i + 1) begin
			if (in_msip && {20'd0, addr[13:2]} == i)
				rdata = {31'd0, software[i]};
			if (in_mtimecmp && {21'd0, addr[13:3]} == i)
				rdata = addr[2] ? mtimecmp[i][63:32] : mtimecmp[i][31:0];
		end
	end
endmodule
