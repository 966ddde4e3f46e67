#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Boot a kernel in a VM and run a command in it, as root.
# usage: run.sh [OPTION]... -- COMMAND [ARGUMENT]...
set -euo pipefail

usage() {
	cat <<'END'
usage: run.sh [OPTION]... -- COMMAND [ARGUMENT]...

  --kernel NAME      a kernel of kernel.sh (debian-6.1)
  --mem MB           memory (1536)
  --cpus N           processors (2, or what the kernel is for)
  --file HOST:GUEST  put a file or a directory there; may be given again
  --root IMAGE       an ext4 image as root file system, or a directory to make
                     one of; what the guest writes to it is dropped
  --initrd FILE      boot with this initramfs and the root; COMMAND, a path, is
                     the init then. It writes to /dev/vport0p1, its status to
                     /dev/vport0p2, and powers off
  --timeout S        end a VM that still runs then (600)
  --append ARGS      more kernel parameters
  --log FILE         keep the kernel log
  --icount           one processor, whose clock counts instructions: guest
                     nanoseconds are these
  --interactive      COMMAND gets this terminal

COMMAND's output is on stdout as it comes, its status is that of run.sh, but
124: the timeout; 125: the VM did not start or did not run to its end, or the
kernel complained. ACCEL=kvm in the environment does without emulation.
END
}

die() {
	echo "run.sh: $*" >&2
	exit 125
}

here=$(dirname "$(realpath "$0")")
kernel=debian-6.1 mem=1536 cpus='' root='' initrd='' timeout=600 append='' log='' icount='' interactive=''
files=()
while [ $# -gt 0 ]; do
	case $1 in
	--kernel | --mem | --cpus | --file | --root | --initrd | --timeout | --append | --log)
		[ $# -gt 1 ] || die "$1 needs an argument; see --help"
		;;&
	--kernel) kernel=$2 && shift ;;
	--mem) mem=$2 && shift ;;
	--cpus) cpus=$2 && shift ;;
	--file) files+=("$2") && shift ;;
	--root) root=$2 && shift ;;
	--initrd) initrd=$2 && shift ;;
	--timeout) timeout=$2 && shift ;;
	--append) append=$2 && shift ;;
	--log) log=$2 && shift ;;
	--icount) icount=1 ;;
	--interactive) interactive=1 ;;
	--help | -h) usage && exit ;;
	--) shift && break ;;
	*) die "no option '$1'; see --help, and put -- before the command" ;;
	esac
	shift
done
[ $# -gt 0 ] || die "no command to run; see --help"
for number in "$mem" "${cpus:-1}" "$timeout"; do
	[[ $number =~ ^[1-9][0-9]*$ ]] || die "'$number' is not a positive number"
done
vars=$("$here/kernel.sh" "$kernel") || exit 125
eval "$vars"
arch=$KARCH
# shellcheck source=tests/vm/arch.sh
. "$here/arch.sh"
for program in "${qemu[0]}" cpio flock; do
	command -v "$program" >/dev/null || die "$program is missing; run: $here/packages.sh vm${cross:+ $arch}"
done
busybox=$("$here/busybox.sh" "$arch") || exit 125

[ -z "$icount" ] || cpus=1
# Of several nodes, each gets a processor and its part of the memory.
cpus=${cpus:-$KCPUS}
smp=$cpus
machine=("${qemu[@]}" -m "$mem")
if [ "$KNODES" -gt 1 ]; then
	smp+=",sockets=$cpus"
	for ((node = 0; node < KNODES; node++)); do
		machine+=(-object "memory-backend-ram,id=node$node,size=$((mem / KNODES))M"
			-numa "node,nodeid=$node,memdev=node$node"
			-numa "cpu,node-id=$node,socket-id=$node")
	done
fi
machine+=(-smp "$smp")

work=$(mktemp -d "${TMPDIR:-/tmp}/compactsnoop-vm.XXXXXX")
pid='' timer='' output=''
# shellcheck disable=SC2317 # it is called, by the trap
cleanup() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null || true
	[ -z "$output" ] || kill "$output" 2>/dev/null || true
	[ -z "$timer" ] || kill "$timer" 2>/dev/null || true
	wait
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
log=${log:-$work/kernel.log}
: >"$log" || die "cannot write $log"

# The initramfs: busybox, init, the command, the files.
tree=$work/tree
mkdir -p "$tree"/{bin,dev,etc,proc,root,run,sys,tmp,usr,vm}
ln -s bin "$tree/sbin"
ln -s ../bin "$tree/usr/bin"
ln -s ../bin "$tree/usr/sbin"
cp "$busybox" "$tree/bin/busybox"
cp "$here/init" "$tree/init"
printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' >"$tree/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$tree/etc/group"
printf 'vm_root=%q\nvm_interactive=%q\n' "$root" "$interactive" >"$tree/vm/config"
printf 'export HOME=/root PATH=/bin:/sbin:/usr/bin:/usr/sbin\ncd /root\nexec' >"$tree/vm/command"
printf ' %s' "${@@Q}" >>"$tree/vm/command"
echo /vm/command >"$tree/vm/files"
mkdir "$tree/boot"
cp "$KCONFIG" "$tree/boot/config-$KREL"
for file in ${files[@]+"${files[@]}"}; do
	from=${file%%:*} to=${file#*:}
	[[ $file == *:/* ]] || die "--file '$file' is not HOST:/GUEST"
	[ -e "$from" ] || die "--file: no '$from'"
	mkdir -p "$tree${to%/*}"
	cp -rL "$from" "$tree$to"
	echo "$to" >>"$tree/vm/files"
done
mkdir "$tree/vm/modules"
: >"$tree/vm/modules/order"
for module in virtio/virtio{_ring,,_pci_legacy_dev,_pci_modern_dev,_pci} char/virtio_console; do
	module=$KTREE/lib/modules/$KREL/kernel/drivers/$module.ko
	[ -e "$module" ] || continue
	cp "$module" "$tree/vm/modules/"
	echo "${module##*/}" >>"$tree/vm/modules/order"
done
(cd "$tree" && find . | cpio -o -H newc --quiet -R 0:0) >"$work/initramfs"
if [ -n "$initrd" ]; then
	[ -n "$root" ] || die "--initrd needs --root"
	[ ${#files[@]} -eq 0 ] || die "--initrd takes no --file: put them into the root"
	append="root=/dev/nvme0n1 rw init=$1 $append"
else
	initrd=$work/initramfs
fi

# The command's output comes through a pipe, since QEMU's stdio closes when its
# input ends. An interactive command has the first serial port; else the kernel
# log has it.
serial=(-serial "file:$log")
input=/dev/null
if [ -n "$interactive" ]; then
	[ "$console" = ttyS0 ] || die "$arch has no second serial port: no --interactive"
	console=ttyS1
	serial=(-chardev "stdio,id=user,signal=off" -serial chardev:user "${serial[@]}")
	input=/dev/stdin
fi
mkfifo "$work/output"
disk=()
if [ -d "$root" ]; then
	echo "making an image of $root" >&2
	size=$(du -sk --apparent-size "$root" | cut -f 1)
	mke2fs -q -t ext4 -O ^has_journal -d "$root" "$work/root.ext4" "$((size * 5 / 4 + 65536))k" >/dev/null
	root=$work/root.ext4
fi
if [ -n "$root" ]; then
	[ -f "$root" ] || die "--root: no '$root'"
	# shellcheck disable=SC2054 # QEMU's commas
	disk=(-drive "file=$root,format=raw,if=none,id=root,snapshot=on"
		-device "nvme,serial=root,drive=root")
fi

# One host thread for all CPUs: with a thread each, QEMU goes on running an int3
# that the kernel has since patched away, and the guest oopses or hangs (seen
# with tracepoints attached and detached under load).
accel=${ACCEL:-tcg,thread=single}
counting=()
# shellcheck disable=SC2054 # QEMU's commas
[ -z "$icount" ] || counting=(-icount shift=0,sleep=off)

# no_timer_check: on a host so busy that a timer tick comes late, the kernel
# would hold its timer for broken, and panic.
echo "booting $KREL ($arch, $cpus CPUs, $mem MB)" >&2
# Held open here, it ends neither before QEMU opens it nor if QEMU never does.
exec 4<>"$work/output"
cat <"$work/output" 4<&- &
output=$!
exec 3<"$input"
"${machine[@]}" -nodefaults -no-user-config -display none -no-reboot -accel "$accel" ${counting[@]+"${counting[@]}"} \
	-kernel "$VMLINUZ" -initrd "$initrd" \
	-append "console=$console ignore_loglevel printk.devkmsg=on panic=-1 oops=panic no_timer_check $append" \
	"${serial[@]}" -device "$serial_device" \
	-chardev "file,id=output,path=$work/output" -device "virtserialport,chardev=output,nr=1" \
	-chardev "file,id=status,path=$work/status" -device "virtserialport,chardev=status,nr=2" \
	${disk[@]+"${disk[@]}"} <&3 4<&- &
pid=$!
sleep "$timeout" 4<&- &
timer=$!
wait -n "$pid" "$timer" || true
timed_out=
if kill -0 "$pid" 2>/dev/null; then
	timed_out=1
	kill "$pid"
fi
wait "$pid" || true
exec 4<&-
wait "$output" || true
pid='' output=''

fail() {
	echo "run.sh: $KREL: $2; the end of its kernel log:" >&2
	tail -n 30 "$log" | sed 's/^/  | /' >&2
	exit "$1"
}

if ! complaints=$("$here/check-log.sh" "$log"); then
	echo "run.sh: $KREL: the kernel complained:" >&2
	echo "$complaints" >&2
	complained=1
fi
[ -z "$timed_out" ] || fail 124 "still running after $timeout s"
status=$(tr -d '\r\n' <"$work/status" 2>/dev/null || true)
[ -n "$status" ] || fail 125 "ended before the command did"
[ -z "${complained-}" ] || exit 125
exit "$status"
