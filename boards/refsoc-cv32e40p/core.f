// package: pythondata_cpu_cv32e40p
// has: nothing
// Files of the CV32E40P package that core.v needs; $CORE is the package's folder.
+incdir+$CORE/rtl/include
$CORE/rtl/include/cv32e40p_apu_core_pkg.sv
$CORE/rtl/include/cv32e40p_fpu_pkg.sv
$CORE/rtl/include/cv32e40p_pkg.sv
$CORE/rtl/cv32e40p_aligner.sv
$CORE/rtl/cv32e40p_alu.sv
$CORE/rtl/cv32e40p_alu_div.sv
$CORE/rtl/cv32e40p_apu_disp.sv
$CORE/rtl/cv32e40p_compressed_decoder.sv
$CORE/rtl/cv32e40p_controller.sv
$CORE/rtl/cv32e40p_core.sv
$CORE/rtl/cv32e40p_cs_registers.sv
$CORE/rtl/cv32e40p_decoder.sv
$CORE/rtl/cv32e40p_ex_stage.sv
$CORE/rtl/cv32e40p_ff_one.sv
$CORE/rtl/cv32e40p_fifo.sv
$CORE/rtl/cv32e40p_hwloop_regs.sv
$CORE/rtl/cv32e40p_id_stage.sv
$CORE/rtl/cv32e40p_if_stage.sv
$CORE/rtl/cv32e40p_int_controller.sv
$CORE/rtl/cv32e40p_load_store_unit.sv
$CORE/rtl/cv32e40p_mult.sv
$CORE/rtl/cv32e40p_obi_interface.sv
$CORE/rtl/cv32e40p_popcnt.sv
$CORE/rtl/cv32e40p_prefetch_buffer.sv
$CORE/rtl/cv32e40p_prefetch_controller.sv
$CORE/rtl/cv32e40p_register_file_ff.sv
$CORE/rtl/cv32e40p_sleep_unit.sv
$CORE/rtl/cv32e40p_top.sv
