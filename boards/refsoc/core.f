// package: pythondata_cpu_ibex
// has: pmp user error
// divide: 2
// yosys: scratchpad -set abc9.nomfs 1
// edit ibex_top.sv: s/logic unused_scramble_inputs =/wire unused_scramble_inputs =/
// Files of the Ibex package that core.v needs; $CORE is the package's folder.
+incdir+$CORE/vendor/lowrisc_ip/ip/prim/rtl
+incdir+$CORE/vendor/lowrisc_ip/dv/sv/dv_utils
+define+SYNTHESIS
$CORE/rtl/ibex_pkg.sv
$CORE/vendor/lowrisc_ip/ip/prim/rtl/prim_ram_1p_pkg.sv
$CORE/vendor/lowrisc_ip/ip/prim/rtl/prim_secded_pkg.sv
$CORE/vendor/lowrisc_ip/ip/prim/rtl/prim_util_pkg.sv
$CORE/vendor/lowrisc_ip/ip/prim/rtl/prim_mubi_pkg.sv
$CORE/vendor/lowrisc_ip/ip/prim/rtl/prim_cipher_pkg.sv
$CORE/vendor/lowrisc_ip/ip/prim/rtl/prim_count_pkg.sv
$CORE/vendor/lowrisc_ip/ip/prim_generic/rtl/prim_generic_buf.sv
$CORE/dv/uvm/core_ibex/common/prim/prim_buf.sv
$CORE/rtl/ibex_alu.sv
$CORE/rtl/ibex_branch_predict.sv
$CORE/rtl/ibex_compressed_decoder.sv
$CORE/rtl/ibex_controller.sv
$CORE/rtl/ibex_cs_registers.sv
$CORE/rtl/ibex_csr.sv
$CORE/rtl/ibex_counter.sv
$CORE/rtl/ibex_decoder.sv
$CORE/rtl/ibex_dummy_instr.sv
$CORE/rtl/ibex_ex_block.sv
$CORE/rtl/ibex_fetch_fifo.sv
$CORE/rtl/ibex_icache.sv
$CORE/rtl/ibex_id_stage.sv
$CORE/rtl/ibex_if_stage.sv
$CORE/rtl/ibex_load_store_unit.sv
$CORE/rtl/ibex_lockstep.sv
$CORE/rtl/ibex_multdiv_fast.sv
$CORE/rtl/ibex_multdiv_slow.sv
$CORE/rtl/ibex_pmp.sv
$CORE/rtl/ibex_prefetch_buffer.sv
$CORE/rtl/ibex_register_file_fpga.sv
$CORE/rtl/ibex_wb_stage.sv
$CORE/rtl/ibex_core.sv
$CORE/rtl/ibex_top.sv
