.graph s # x
.block 2
.unordered
.argument x buffer
.argument k int
.resource b argument argument=x bytes=4096
.resource f fixed address=0x10 bytes=8
.resource t transient bytes=64
.resource z none
.variable v buffer
.variable n int
.state w grid=8,1 block=8 local=4,8 cluster=2 mode=fast chunk=3
.copy 0
.fill 0
.definition d 8 3 7
 argument n, k
 jlt n, n, l
 load n, v, -, 4
 index v, n, b
l: need n, memory
 jump e
.step 0 0 0 0 0
e: end
 write v
 const 4, 5
 dispatch
