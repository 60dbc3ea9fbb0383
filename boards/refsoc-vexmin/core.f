// package: pythondata_cpu_vexriscv
// has: nothing
// The netlist of the VexRiscv package that core.v needs; $CORE is the package's folder.
$CORE/VexRiscv_Min.v
