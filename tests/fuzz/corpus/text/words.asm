.graph w
.resource b fixed address=4096 bytes=64
.variable v buffer
.variable n int
.variable m int
 resource v, b
 set n, -3
 move m, n
 addi n, m, 9
 div m, n, m
 shl m, n, n
 next m
 read v
 write v
 share v
 after m
 afteri 0
 signal v, n, 4
 jge n, m, x
 size v, n
x: fence
 end
