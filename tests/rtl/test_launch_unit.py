# SPDX-License-Identifier: Apache-2.0
"""The launch unit: its bench, a proof of what it promises, the unit in the SoC, and the firmware that uses it on 16 SMs.

A known defect of such units is to be idle while a CTA is still in one of their registers. So idle and done are looked at in every
cycle of the bench, and the solver of yosys finds no state of the unit in which one of them lies."""
import shutil
import subprocess

import pytest
from device_support import BUILD, LONG, ROOT
from many_support import fixture_device, fixture_machine  # noqa: F401
from test_fpga import YOSYS
from test_lock import counted, test_open_wave, test_pull, test_wave  # noqa: F401  # pylint: disable=unused-import
from test_many_sms import test_cluster, test_the_last_sm_hangs  # noqa: F401  # pylint: disable=unused-import
from test_soc import passes, run

BOARD, SIM, SMS = "refsoc-launch", "refsoc-sms16-launch", 16
RTL = "boards/refsoc/rtl"
CYCLES, ABSENT = 300_000, 4095  # ABSENT: of smoke_launch.c

# Faults of launch.v that the proof has to find: text, and what is there instead.
FAULTS = {
    "idle forgets an interrupt": ("assign done = waiting == 32'd0 && ", "assign done = "),
    "idle forgets a bell": ("assign idle = done && out.BELL.harts.value == 32'd0;", "assign idle = done;"),
    "done forgets a count": ("&& counts == {5*WAVES{1'b0}};", "&& counts[5*WAVES-1:5] == {5*WAVES-5{1'b0}};"),
    "an interrupt is lost when another set is written": ("&& !writes_ring;", ";"),
    "the last one does not ring": ("| counts_down & count == 5'd1;", ";"),
    "an interrupt never comes": ("pause <= pause - 5'd1;", "pause <= pause;"),
}


def bench(*arguments):
    """Runs the bench, which says what is wrong."""
    done = subprocess.run([BUILD / "rtl/launch_unit/bench", *arguments], capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_any_access(seed):
    """Accesses by chance: each interrupt, bell and count comes out once, in time, and idle and done are true in every cycle."""
    bench("random", seed, str(CYCLES))


def test_life_of_a_wave():
    """From the store that sends it until its bell is taken the unit is not idle in any cycle; the last SM rings, no other."""
    bench("wave")


def proved(folder):
    """Whether yosys proves launch.v of a folder, by induction from the reset on."""
    sources = " ".join(str(folder / f"{name}") for name in ("launch_regs_pkg.sv", "launch_regs.sv", "launch.v"))
    script = (f"read_verilog -sv -formal -I{folder} {sources}; chparam -set N 32 launch; prep -flatten -top launch; "
              "chformal -lower; opt -full; sat -verify -prove-asserts -set-assumes -tempinduct -seq 1 -maxsteps 4 launch")
    done = subprocess.run([YOSYS.resolve(), "-q", "-p", script], cwd=ROOT, capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 0 or "proof did fail" in done.stdout + done.stderr, done.stdout[-2000:] + done.stderr[-2000:]
    return done.returncode == 0


@pytest.fixture(name="folder")
def fixture_folder():
    """Copies of what is proved. yosys sees relative paths only."""
    folder = (BUILD / "rtl/launch_unit/proof").relative_to(ROOT)
    shutil.rmtree(ROOT / folder, ignore_errors=True)
    (ROOT / folder).mkdir(parents=True)
    for path in (*(ROOT / RTL).glob("launch*"), ROOT / "tests/rtl/launch_unit/proof.vh"):
        shutil.copy(path, ROOT / folder)
    return folder


@pytest.mark.skipif(not YOSYS.exists(), reason="needs make synth-tools")
def test_proof(folder):
    """Never idle nor done with anything in the unit, nothing is lost, nothing comes from nowhere, and the last one rings."""
    assert proved(folder)


@pytest.mark.skipif(not YOSYS.exists(), reason="needs make synth-tools")
@pytest.mark.parametrize("fault", FAULTS)
def test_proof_finds(folder, fault):
    """The proof fails when the unit has a fault."""
    path, (old, new) = ROOT / folder / "launch.v", FAULTS[fault]
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    assert not proved(folder)


def test_unit():
    """Interrupts, bells, a count and STATUS of the unit in the SoC, from programs of 17 harts."""
    passes(SIM, "launch")


def test_no_unit():
    """In a SoC without the unit its place reads 0."""
    status, finisher, _ = run("refsoc", "launch")
    assert (status, finisher >> 16) == (1, ABSENT)


def test_firmware_uses_it(machine):
    """No SM changes its bell byte, and each CTA runs once, in a wave and pushed."""
    cap = machine.dev.regs.cap.read()
    assert counted(machine, 4 * SMS)[2] == [0] * SMS
    assert sum(counted(machine, 8 * SMS)[1]) == 8 * SMS
    assert bytes(machine.dev.read(cap["base"] + cap["bells_offset"], SMS)) == bytes(SMS)
