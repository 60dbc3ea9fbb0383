.graph table2
.block 1
.argument R1 buffer
.argument R2 buffer
.argument R3 buffer
.argument R5 buffer
.argument B int
.resource R1 argument argument=0 address=0x0 bytes=0
.resource R2 argument argument=1 address=0x0 bytes=0
.resource R3 argument argument=2 address=0x0 bytes=0
.resource R5 argument argument=3 address=0x0 bytes=0
.variable v0 buffer
.variable v1 int
.variable v2 int
.state state1 grid=1 block=1
.state state2 grid=1 block=1
	state 0
	resource v0, R1
	read v0
	resource v0, R2
	write v0
	dispatch
	argument v1, B
	set v2, 0
	jeq v1, v2, L20
	state 1
	resource v0, R2
	read v0
	resource v0, R5
	write v0
	dispatch
	resource v0, R5
	read v0
	resource v0, R3
	write v0
	dispatch
L20:
	end
