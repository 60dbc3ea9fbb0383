// SPDX-License-Identifier: Apache-2.0
// Queue of bytes. A push into a full queue and a pop of an empty one do nothing.
module fifo #(
	parameter LOG2 = 4		// it holds 2^LOG2 bytes
) (
	input wire clk,
	input wire reset,
	input wire push,
	input wire [7:0] in,
	input wire pop,
	output wire [7:0] out,		// the oldest byte, if not empty
	output wire empty,
	output wire full
);
	reg [7:0] bytes [0:(1<<LOG2)-1];
	reg [LOG2:0] put, get;		// free running: one bit more than an index

	assign empty = put == get;
	assign full = put == {~get[LOG2], get[LOG2-1:0]};
	assign out = bytes[get[LOG2-1:0]];

	always @(posedge clk) begin
		if (push && !full)
			bytes[put[LOG2-1:0]] <= in;
		if (reset)
			put <= 0;
		else if (push && !full)
			put <= put + 1'b1;
		if (reset)
			get <= 0;
		else if (pop && !empty)
			get <= get + 1'b1;
	end
endmodule
