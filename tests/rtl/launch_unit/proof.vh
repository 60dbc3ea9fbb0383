// SPDX-License-Identifier: Apache-2.0
// Properties of the launch unit, included by launch.v when it is proved (FORMAL). The solver chooses a hart and a counter;
// what is asked for them is remembered here, from the bus alone, until the bus or `ring` says that it is over.
	(* anyconst *) wire [4:0] some;
	(* anyconst *) wire [2:0] slot;
	reg owed;			// an interrupt of `some`
	reg rung;			// the bell of `some`
	reg [4:0] missing;		// SMs of the wave of `slot`
	reg [4:0] paused = 5'd0;	// `pause` in the last cycle
	reg handed = 1'b1;		// an interrupt was handed out in it, or there was a reset

	wire [31:0] enabled = {{8{wstrb[3]}}, {8{wstrb[2]}}, {8{wstrb[1]}}, {8{wstrb[0]}}};
	wire at_left = addr[5] && addr[4:2] == slot;
	wire looks = select && !write && at_left;
	wire takes_bells = select && !write && addr[5:2] == 4'h4;
	wire last = looks && hart != 32'd0 && missing == 5'd1;
	wire any_last = select && !write && addr[5] && hart != 32'd0 && counts[5*addr[4:2] +: 5] == 5'd1; // of any wave

	always @(posedge clk) begin
		if (reset)
			owed <= 1'b0;
		else if (writes_ring && wdata[some] && enabled[some])
			owed <= 1'b1;
		else if (ring[some])
			owed <= 1'b0;

		if (reset || takes_bells)
			rung <= 1'b0;
		else if (hart[4:0] == some && (any_last || select && write && addr[5:2] == 4'h4))
			rung <= 1'b1;

		if (reset)
			missing <= 5'd0;
		else if (select && write && at_left)
			missing <= missing & ~enabled[4:0] | wdata[4:0] & enabled[4:0];
		else if (looks && hart != 32'd0 && missing != 5'd0)
			missing <= missing - 5'd1;

		paused <= pause;
		handed <= reset || hand_out;
	end

	always @* begin
		if ($initstate)
			assume (reset);
		assume (some != 5'd0);		// msip of hart 0 has bells, too
		assume (hart < 32'd32);
		if (!$initstate && !reset) begin
			// True: never idle, nor done, while anything of theirs is in the unit; and not busy for nothing.
			assert (!(idle && (owed || rung || missing != 5'd0)));
			assert (!(done && (owed || missing != 5'd0)));
			assert (!idle || done);
			// Nothing is lost, and nothing comes from nowhere.
			assert (owed == waiting[some]);
			assert (rung == out.BELL.harts.value[some]);
			assert (missing == counts[5*slot +: 5]);
			assert (!ring[some] || owed);
			assert ((ring[31:1] & (ring[31:1] - 31'd1)) == 31'd0);
			if (takes_bells)
				assert (rdata[some] == rung);
			if (looks)
				assert (rdata == {27'd0, missing});
			// The last of a wave rings, and so does a bell, in the same cycle.
			if (last || any_last || select && write && addr[5:2] == 4'h4)
				assert (ring[0]);
			// It goes on: an interrupt that waits is handed out, unless RING is written or the pause runs, and that ends.
			assert (waiting == 32'd0 || writes_ring || pause != 5'd0 || (ring & waiting) != 32'd0);
			assert (handed || paused == 5'd0 || pause == paused - 5'd1);
		end
	end
