// SPDX-License-Identifier: Apache-2.0
// The reference SoC on an FPGA board: clock of the oscillator or a fraction of it (no PLL), reset, serial line, LEDs.
// The RAM is the FPGA's block RAM and begins with IMAGE, so the firmware runs when the FPGA is configured.
// The speed of the serial line is BAUD, whatever divisor the 16550 is told.
module refsoc_fpga #(
	parameter N = 3,		// harts
	parameter RAM_BYTES = 360448,
	parameter OSCILLATOR_HZ = 25000000,
	parameter DIVIDE = 1,		// the SoC's clock is the oscillator's divided by this: 1, 2, 4, 8
	parameter LAUNCH = 0,		// 1: there is a launch unit
	parameter BAUD = 115200,
	parameter IMAGE = ""		// words of the RAM in hexadecimal, one a line
) (
	input wire oscillator,
	input wire reset_button,	// 1: pressed
	input wire rx,
	output wire tx,
	output wire wifi_gpio0,		// keeps the ESP32 of the board running
	output wire [7:0] led		// from 0: running, failed, harts 0 to 2 sleep, reset, receiving, sending
);
	localparam CLOCK_HZ = OSCILLATOR_HZ / DIVIDE;
	localparam BIT_CYCLES = (CLOCK_HZ + BAUD / 2) / BAUD;

	wire clk;

	generate
		if (DIVIDE == 1) begin : whole
			assign clk = oscillator;
		end else begin : part
			reg [$clog2(DIVIDE)-1:0] count = 0;

			always @(posedge oscillator)
				count <= count + 1'b1;
			assign clk = count[$clog2(DIVIDE)-1];
		end
	endgenerate

	// Reset for 255 cycles after configuration, and as long as the button is pressed.
	reg [1:0] button = 2'b11;	// two stages against metastability
	reg [7:0] reset_left = 8'hff;
	wire reset = reset_left != 8'd0;

	always @(posedge clk) begin
		button <= {button[0], reset_button};
		if (button[1])
			reset_left <= 8'hff;
		else if (reset)
			reset_left <= reset_left - 8'd1;
	end

	wire tx_valid, tx_ready, rx_valid, host_pending, finish;
	wire [7:0] tx_data, rx_data;
	wire [31:0] finish_value;
	wire [N-1:0] sleeping;
	wire unused_rx_ready;
	wire [15:0] unused_divisor;

	soc #(.N(N), .RAM_BYTES(RAM_BYTES), .CLOCK_HZ(CLOCK_HZ), .RAM_FILE(IMAGE), .LAUNCH(LAUNCH)) soc (
		.clk(clk), .reset(reset), .tx_valid(tx_valid), .tx_data(tx_data), .tx_ready(tx_ready),
		.rx_valid(rx_valid), .rx_data(rx_data), .rx_ready(unused_rx_ready), .divisor(unused_divisor),
		.host_ring(1'b0), .host_pending(host_pending), .host_taken(host_pending),
		.finish(finish), .finish_value(finish_value), .sleeping(sleeping)
	);
	uart_serial serial (
		.clk(clk), .reset(reset), .bit_cycles(BIT_CYCLES[19:0]), .tx_valid(tx_valid), .tx_data(tx_data),
		.tx_ready(tx_ready), .rx_valid(rx_valid), .rx_data(rx_data), .rx_pin(rx), .tx_pin(tx)
	);

	assign wifi_gpio0 = 1'b1;
	wire [2:0] asleep = sleeping;	// as many as there are
	assign led = {!tx, !rx, reset, asleep, finish & finish_value != 32'h5555, !reset & !finish};
endmodule
