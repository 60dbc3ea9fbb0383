.graph table1
.block 1
.argument R1 buffer
.argument R2 buffer
.argument R3 buffer
.argument A int
.argument B int
.resource R1 argument argument=0 address=0x0 bytes=0
.resource R2 argument argument=1 address=0x0 bytes=0
.resource R3 argument argument=2 address=0x0 bytes=0
.variable v0 buffer
.variable v1 buffer
.variable v2 buffer
.variable v3 int
.variable v4 int
.state draw1 grid=1 block=1
.state draw2 grid=1 block=1
.state draw3 grid=1 block=1
	resource v2, R1
	move v0, v2
	resource v2, R2
	move v1, v2
	invoke PassA
	argument v3, A
	set v4, 0
	jeq v3, v4, L13
	resource v2, R2
	move v1, v2
	resource v2, R3
	move v0, v2
	invoke PassB
L13:
	argument v4, B
	set v3, 0
	jeq v4, v3, L21
	resource v2, R2
	move v1, v2
	resource v2, R3
	move v0, v2
	invoke PassB
L21:
	end
.pass PassA
	read v0
	write v1
	state 0
	dispatch
.end
.pass PassB
	read v1
	write v0
	state 1
	dispatch
	state 2
	dispatch
.end
