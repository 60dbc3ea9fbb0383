.graph figure8
.block 1
.argument R1 buffer
.argument R6 buffer
.resource R1 argument argument=0 address=0x0 bytes=0
.resource R6 argument argument=1 address=0x0 bytes=0
.resource R2 transient argument=0 address=0x0 bytes=64
.resource R3 transient argument=0 address=0x0 bytes=64
.resource R4 transient argument=0 address=0x0 bytes=64
.resource R5 transient argument=0 address=0x0 bytes=64
.variable v0 buffer
.state draw grid=1 block=1
	state 0
	resource v0, R1
	read v0
	resource v0, R2
	write v0
	dispatch
	resource v0, R2
	read v0
	resource v0, R3
	write v0
	dispatch
	resource v0, R2
	read v0
	resource v0, R4
	write v0
	dispatch
	resource v0, R2
	read v0
	resource v0, R5
	write v0
	dispatch
	resource v0, R3
	read v0
	resource v0, R4
	read v0
	resource v0, R5
	read v0
	resource v0, R6
	write v0
	dispatch
	end
