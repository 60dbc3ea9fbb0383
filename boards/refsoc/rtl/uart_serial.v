// SPDX-License-Identifier: Apache-2.0
// Serial line of the 16550 on an FPGA: 8 data bits, no parity, one stop bit.
module uart_serial (
	input wire clk,
	input wire reset,
	input wire [19:0] bit_cycles,	// clock cycles of a bit; at least 4, and constant while a byte is on the line
	input wire tx_valid,
	input wire [7:0] tx_data,
	output wire tx_ready,
	output wire rx_valid,		// for one cycle; a byte with a wrong stop bit is dropped
	output wire [7:0] rx_data,
	input wire rx_pin,
	output wire tx_pin
);
	reg [9:0] out;			// stop bit, data, start bit; the lowest one is on the line
	reg [3:0] out_left;		// bits to send
	reg [19:0] out_wait;

	assign tx_pin = out[0];
	assign tx_ready = out_left == 4'd0;

	always @(posedge clk) begin
		if (reset) begin
			out <= 10'h3ff;
			out_left <= 4'd0;
			out_wait <= 20'd0;
		end else if (tx_ready) begin
			if (tx_valid) begin
				out <= {1'b1, tx_data, 1'b0};
				out_left <= 4'd10;
				out_wait <= bit_cycles - 20'd1;
			end
		end else if (out_wait != 20'd0) begin
			out_wait <= out_wait - 20'd1;
		end else begin
			out <= {1'b1, out[9:1]};
			out_left <= out_left - 4'd1;
			out_wait <= bit_cycles - 20'd1;
		end
	end

	reg [2:0] line;			// two stages against metastability, one to see an edge
	reg [8:0] in;
	reg [3:0] in_left;		// bits to receive: data and the stop bit
	reg [19:0] in_wait;
	reg done;

	assign rx_valid = done & in[8];
	assign rx_data = in[7:0];

	always @(posedge clk) begin
		line <= {line[1:0], rx_pin};
		done <= 1'b0;
		if (reset) begin
			line <= 3'b111;
			in_left <= 4'd0;
		end else if (in_left == 4'd0) begin
			if (line[2:1] == 2'b10) begin
				in_left <= 4'd10;
				in_wait <= bit_cycles >> 1;	// to the middle of the start bit
			end
		end else if (in_wait != 20'd0) begin
			in_wait <= in_wait - 20'd1;
		end else if (in_left == 4'd10 && line[1]) begin
			in_left <= 4'd0;			// a glitch, not a start bit
		end else begin
			if (in_left != 4'd10)
				in <= {line[1], in[8:1]};
			done <= in_left == 4'd1;
			in_left <= in_left - 4'd1;
			in_wait <= bit_cycles - 20'd1;
		end
	end
endmodule
