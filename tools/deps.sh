#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what the project needs and this machine lacks: packages by apt, Python tools into
# BUILD/venv. Usage: tools/deps.sh BUILD [opencl | opencl-suites | browser]. `make deps` calls it once and then again only when this
# file, requirements.txt or requirements-rtl.txt changes. With a second word it installs what the
# OpenCL platform is built with, or also what test-opencl needs, or what test-browser needs, and nothing else.
set -eu

build=${1:?usage: tools/deps.sh BUILD [opencl | opencl-suites | browser]}
part=${2:-}
here=$(cd "$(dirname "$0")" && pwd)

# package | what shows that it is there: a command or a file | why
table='
gcc|gcc|host library, broker, unit tests
libc6-dev|/usr/include/stdio.h|the same
binutils|readelf|the same
python3|python3|host package, tests, checks
python3-venv|@ensurepip|Python tools in a folder of their own
gcc-riscv64-unknown-elf|riscv64-unknown-elf-gcc|firmware and kernels, RV64 and RV32
picolibc-riscv64-unknown-elf|/usr/lib/picolibc/riscv64-unknown-elf/include/stdio.h|C library of the firmware
qemu-system-misc|qemu-system-riscv64|the development device
gdb-multiarch|gdb-multiarch|debugging the harts
libcmocka-dev|/usr/include/cmocka.h|unit tests
clang|clang|second compiler of all C code
clang-14|clang-14|kernels in OpenCL C; this version, since ganger-cc reads its text of LLVM
clang-format|clang-format|make check
clang-tidy|clang-tidy|make check
cppcheck|cppcheck|make check
spin|spin|models of the pull protocols: make test-spin
verilator|verilator|simulators of boards on RTL: make test-rtl
g++|g++|the same
pkg-config|pkg-config|the test of make install
'
opencl_table='
opencl-c-headers|/usr/include/CL/cl_icd.h|headers of OpenCL
ocl-icd-opencl-dev|@opencl|OpenCL loader of the tests
'
suites_table='
clinfo|clinfo|asks an OpenCL platform everything
clblast-tests|clblast_test_xgemm|tests of CLBlast
libclblast-dev|/usr/include/clblast_c.h|pyclblast is built with it
g++|g++|the same, and pyvkfft
clfft-client|clFFT-client|asks clFFT for transforms
clpeak|clpeak|measures an OpenCL platform
llvm-spirv-14|llvm-spirv-14|programs of SPIR-V
spirv-tools|spirv-as|modules for the tests of these
pocl-opencl-icd|/etc/OpenCL/vendors/pocl.icd|another platform, to compare with
'
browser_table='
chromium|/usr/bin/chromium|shows pages in their tests
chromium-driver|/usr/bin/chromedriver|the same
'
case $part in
browser) table=$browser_table ;;
opencl) table=$opencl_table ;;
opencl-suites) table=$opencl_table$suites_table ;;
esac

has() {
	case $1 in
	@opencl) echo 'int main(void) { return 0; }' | gcc -x c - -lOpenCL -o /dev/null 2>/dev/null ;;
	@ensurepip) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
	/*) [ -e "$1" ] ;;
	*) command -v "$1" >/dev/null 2>&1 ;;
	esac
}

# Prints the packages whose sign is not there.
missing() {
	echo "$table" | while IFS='|' read -r package sign reason; do
		[ -z "$package" ] || has "$sign" || echo "$package"
	done
}

# Says what a person has to do, and gives up.
give_up() {
	echo "deps: $1. Please install:" >&2
	echo "$table" | while IFS='|' read -r package sign reason; do
		[ -z "$package" ] || has "$sign" || printf '  %-30s %s\n' "$package" "$reason" >&2
	done
	echo "On Debian 12, as root:" >&2
	echo "  apt-get update && apt-get install -y --no-install-recommends" $packages >&2
	exit 1
}

install_packages() {
	packages=$(missing)
	[ -n "$packages" ] || return 0
	command -v apt-get >/dev/null 2>&1 || give_up "packages are missing and there is no apt-get"
	root=
	if [ "$(id -u)" != 0 ]; then
		sudo -n true 2>/dev/null || give_up "packages are missing and this is not root"
		root="sudo -n"
	fi
	echo "deps: installing" $packages
	export DEBIAN_FRONTEND=noninteractive
	apt="$root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3"
	$apt update || echo "deps: apt-get update failed; trying with the package lists there are" >&2
	$apt install -y --no-install-recommends $packages || give_up "apt-get failed"
	packages=$(missing)
	[ -z "$packages" ] || give_up "installed, but still not found"
}

# The venv is made anew when its Python is gone or a pin has changed.
install_python_tools() {
	python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
		echo "deps: Python 3.11 or newer is needed, this is $(python3 --version)" >&2
		exit 1
	}
	if ! cat "$here/requirements.txt" "$here/requirements-rtl.txt" | cmp -s - "$build/venv/requirements.txt" ||
		! "$build/venv/bin/python" -c '' 2>/dev/null; then
		echo "deps: Python tools into $build/venv"
		rm -rf "$build/venv"
		python3 -m venv "$build/venv"
		"$build/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
			--retries 5 -r "$here/requirements.txt" -r "$here/requirements-rtl.txt" || {
			rm -rf "$build/venv"
			echo "deps: pip failed (see above); it needs a way to a Python package index" >&2
			exit 1
		}
		cat "$here/requirements.txt" "$here/requirements-rtl.txt" >"$build/venv/requirements.txt"
	fi
}

mkdir -p "$build"
install_packages
[ -n "$part" ] || install_python_tools
