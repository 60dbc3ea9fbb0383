// SPDX-License-Identifier: Apache-2.0
// Subset of the 16550 with byte-wide registers at +0..+7 and queues of 16 bytes in both directions.
// Registers: RBR, THR, IER (bits 0 and 1), IIR, FCR (bits 1 and 2 empty the queues), LCR (bit 7), LSR (bits
// 0, 1, 5, 6), SCR, DLL and DLM; MCR is kept and does nothing, MSR says that the line is up. The receive
// interrupt comes at the first byte, whatever FCR says. Frames, parity and breaks are not reported.
//
// Some cores do not say which byte of a word they read: then every read of +0..+3 takes a byte from the
// receive queue, so drivers should read none of +1..+3. Reads of +4..+7 have no effect but clearing bit 1 of LSR.
//
// Its other side is a stream of bytes, which the simulation connects to the host and an FPGA to uart_serial.v.
module uart16550 (
	input wire clk,
	input wire reset,
	input wire select,		// an access, for one cycle
	input wire [2:0] addr,		// byte; only bit 2 matters for writes
	input wire [31:0] wdata,
	input wire [3:0] wstrb,		// 0: read
	output wire [31:0] rdata,	// in the same cycle
	output wire interrupt,
	output wire tx_valid,		// tx_data is taken in a cycle with tx_valid and tx_ready
	output wire [7:0] tx_data,
	input wire tx_ready,
	input wire rx_valid,		// a byte, in each cycle with rx_valid; lost (LSR bit 1) unless rx_ready
	input wire [7:0] rx_data,
	output wire rx_ready,
	output wire [15:0] divisor	// clock cycles of a bit, divided by 16
);
	reg [1:0] ier;
	reg [7:0] lcr, mcr, scr, dll, dlm;
	reg overrun;
	wire dlab = lcr[7];

	wire read = select & (wstrb == 4'd0);
	wire write0 = select & !addr[2];	// one of +0..+3 (and a strobe)
	wire write4 = select & addr[2];

	wire rx_empty, rx_full, tx_empty, tx_full;
	wire [7:0] rx_out;
	wire fcr_write = write0 & wstrb[2];

	fifo rx (
		.clk(clk), .reset(reset | (fcr_write & wdata[17])),
		.push(rx_valid), .in(rx_data),
		.pop(read & addr == 3'd0 & !dlab), .out(rx_out),
		.empty(rx_empty), .full(rx_full)
	);
	fifo tx (
		.clk(clk), .reset(reset | (fcr_write & wdata[18])),
		.push(write0 & wstrb[0] & !dlab), .in(wdata[7:0]),
		.pop(tx_ready), .out(tx_data),
		.empty(tx_empty), .full(tx_full)
	);
	assign tx_valid = !tx_empty;
	assign rx_ready = !rx_full;
	assign divisor = {dlm, dll};
	assign interrupt = (ier[0] & !rx_empty) | (ier[1] & tx_empty);
	wire unused = &{1'b0, tx_full, wdata[31:18], wdata[16]};

	always @(posedge clk) begin
		if (reset) begin
			{ier, lcr, mcr, scr, dlm} <= 0;
			dll <= 8'd1;
			overrun <= 1'b0;
		end else begin
			if (write0 & wstrb[0] & dlab) dll <= wdata[7:0];
			if (write0 & wstrb[1] & dlab) dlm <= wdata[15:8];
			if (write0 & wstrb[1] & !dlab) ier <= wdata[9:8];
			if (write0 & wstrb[3]) lcr <= wdata[31:24];
			if (write4 & wstrb[0]) mcr <= wdata[7:0];
			if (write4 & wstrb[3]) scr <= wdata[31:24];
			if (rx_valid & rx_full) overrun <= 1'b1;
			else if (read & addr[2] & (addr[1:0] < 2'd2)) overrun <= 1'b0;
		end
	end

	wire [7:0] iir = ier[0] & !rx_empty ? 8'hc4 : ier[1] & tx_empty ? 8'hc2 : 8'hc1;
	wire idle = tx_empty & tx_ready;
	wire [7:0] lsr = {1'b0, idle, tx_empty, 3'd0, overrun, !rx_empty};
	wire [7:0] at0 = dlab ? dll : rx_empty ? 8'd0 : rx_out;
	wire [7:0] at1 = dlab ? dlm : {6'd0, ier};

	assign rdata = addr[2] ? {scr, 8'hb0, lsr, mcr} : {lcr, iir, at1, at0};
endmodule
