#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the kernel of tests/kernels/NAME.config, if the cache does not have it,
# and print shell assignments like kernel.sh, which calls this.
# usage: kernel-build.sh CONFIG-FILE CACHE [KARCH]
#
# With KARCH only that is printed, and nothing built.
#
# A config file is a fragment of a kernel configuration, merged over
# tinyconfig. Its first line says what it is for; of its comments these mean
# something:
#	# source: VERSION	of Debian's linux-source-VERSION
#	# arch: MACHINE		one of arch.sh, or x86_64
#	# parts: NAME...	parts/NAME.config, merged before the file's own lines
#	# make: VARIABLE=...	for Kbuild, of kernel and module
#	# edit: FILE SCRIPT	a sed script for a file of the source
#	# same: NAME		no kernel of its own: NAME's, on another machine
#	# nodes: N, # cpus: N	that the machine has: 1 NUMA node, 2 processors
# What is built is kept by the version of its source and a hash of all that
# decides how it is configured. Status 3: the source cannot be had.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
config=$(realpath "$1") cache=$2
name=$(basename "$config" .config)
kernels=$(dirname "$config")
# A make that this is part of has its own ideas.
unset MAKEFLAGS MFLAGS MAKELEVEL

die() {
	echo "kernel-build.sh: $name: $*" >&2
	exit 1
}

# directive NAME: its values in the config file, one a line
directive() {
	sed -n "s/^# $1: *//p" "$config"
}

# fetch_source DIR: the newest linux-source-$version, unpacked
fetch_source() {
	local dir=$1 suite=own

	case $version in
	5.10) suite=bullseye ;;
	7.2) suite=sid ;;
	esac
	echo "fetching linux-source-$version" >&2
	"$here/apt-fetch.sh" "$suite" amd64 "$dir/package" "linux-source-$version" \
		>"$dir/packages" || return 1
	mkdir "$dir/tree"
	tar -xJf "$dir/package/usr/src/linux-source-$version.tar.xz" \
		--strip-components=1 -C "$dir/tree"
	rm -r "$dir/package"
	cut -d ' ' -f 2 "$dir/packages" >"$dir/version"
}

# build DIR: configure and build the kernel in DIR/build, keep what a VM and
# a module need
build() {
	local dir=$1 out=$1/build tree=$source/tree line file script
	local kmake=(make -s -C "$source/tree" "O=$1/build" "${options[@]}")

	mkdir "$out"
	if [ -n "$edits" ]; then
		# A tree with edits is of links but for these.
		tree=$dir/source
		cp -rs "$source/tree" "$tree"
		while read -r file script; do
			sed -i "$script" "$tree/$file"
			! cmp -s "$tree/$file" "$source/tree/$file" ||
				die "the edit of $file changes nothing"
		done <<<"$edits"
		kmake=(make -s -C "$tree" "O=$out" "${options[@]}")
	fi
	# 5.10 has something to say here, too.
	"${kmake[@]}" tinyconfig >&2
	echo "$merged" >"$dir/fragment"
	"$tree/scripts/kconfig/merge_config.sh" -m -O "$out" "$out/.config" "$dir/fragment" \
		>"$dir/merge.log"
	"${kmake[@]}" olddefconfig
	# A row whose options do not take would test something else than it says.
	while read -r line; do
		case $line in
		CONFIG_*) grep -qxF "$line" "$out/.config" ;;
		*) ! grep -q "^${line:2:-11}=" "$out/.config" ;;
		esac || echo "$line"
	done <"$dir/fragment" >"$dir/refused"
	[ ! -s "$dir/refused" ] ||
		die "these options do not take: $(tr '\n' ' ' <"$dir/refused")"
	"${kmake[@]}" "-j$(nproc)" "$image" modules >"$dir/build.log" 2>&1 || {
		tail -n 30 "$dir/build.log" >&2
		die "the build failed"
	}
	mkdir "$dir/boot"
	cp "$out/$image_file" "$dir/boot/vmlinuz"
	cp "$out/.config" "$dir/boot/config"
	cp "$out/include/config/kernel.release" "$dir/release"
	# Building modules takes the headers and programs, not the objects, but for
	# what powerpc links to each module.
	find "$out" \( -name '*.o' -o -name '*.a' -o -name '.*.cmd' -o -name 'vmlinux*' \) \
		-not -path "$out/scripts/*" -not -path "$out/tools/*" \
		-not -name 'crtsavres.*' -not -name vmlinux.lds -delete
}

nodes=$(directive nodes)
cpus=$(directive cpus)
same=$(directive same)
if [ -n "$same" ]; then
	config=$kernels/$same.config name=$same
fi
arch=$(directive arch)
arch=${arch:-x86_64}
if [ "${3-}" = KARCH ]; then
	echo "$arch"
	exit
fi
version=$(directive source)
[ -n "$version" ] || die "$config names no source"
# shellcheck source=tests/vm/arch.sh
. "$here/arch.sh"
read -ra options < <(echo "ARCH=$kbuild_arch" ${cross:+CROSS_COMPILE=$cross} "$(directive make)")
edits=$(directive edit)
localversion=${name#"$version"}

"$here/packages.sh" kernels
case ${options[*]} in
*LLVM*) "$here/packages.sh" clang ;;
esac
[ -z "$cross" ] || "$here/packages.sh" "$arch"

files=()
for part in $(directive parts); do
	files+=("$kernels/parts/$part.config")
done
# Of two lines for one option the later counts.
merged=$({
	cat ${files[@]+"${files[@]}"} "$config"
	echo "CONFIG_LOCALVERSION=\"$localversion\""
} | awk '/^CONFIG_/ { split($1, option, "="); line[option[1]] = $0 }
	/^# CONFIG_.* is not set$/ { line[$2] = $0 }
	END { for (name in line) print line[name] }' | sort)

source=$cache/sources/$version
mkdir -p "$cache/sources" "$cache/built"
# Two makes at once fetch it once, and a fetch that breaks off leaves nothing.
exec 8>"$cache/sources/.$version.lock"
flock 8
if [ ! -e "$source/version" ]; then
	new=$(mktemp -d "$cache/sources/.new.XXXXXX")
	trap 'rm -rf "$new"' EXIT
	fetch_source "$new" || {
		echo "kernel-build.sh: $name: linux-source-$version cannot be had" >&2
		exit 3
	}
	mv "$new" "$source"
fi
flock -u 8

compiler=$("${cross:-}gcc" -dumpfullversion)
key=$(printf '%s\n' "$merged" "${options[*]}" "$edits" "$compiler" | sha256sum)
dir=$cache/built/$(cat "$source/version")-${key:0:16}
exec 8>"$dir.lock"
flock 8
if [ ! -e "$dir/release" ]; then
	rm -rf "$dir"
	mkdir "$dir"
	echo "building the kernel $name ($(cat "$source/version")): a few minutes" >&2
	build "$dir"
fi

krel=$(cat "$dir/release")
variables=${options[*]}
cat <<END
KREL=$krel
VMLINUZ=$dir/boot/vmlinuz
KCONFIG=$dir/boot/config
KTREE=$dir
KDIR=$dir/build
KARCH=$arch
KMAKE=${variables@Q}
KNODES=${nodes:-1}
KCPUS=${cpus:-2}
END
