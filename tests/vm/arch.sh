# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # the caller has the variables
#
# Sourced with $arch set: how a kernel for that machine is built and booted.
#	kbuild_arch	ARCH for Kbuild
#	cross		CROSS_COMPILE, empty for the compiler of this machine
#	image		make target of what QEMU boots, and where it then is
#	debian_arch	whose packages have its programs
#	qemu		emulator, machine and CPU
#	console		first serial port, for the kernel log
#	serial_device	what the virtio ports hang on
cross=''
serial_device=virtio-serial-pci
case $arch in
x86_64 | i386)
	kbuild_arch=$arch image=bzImage image_file=arch/x86/boot/bzImage
	debian_arch=amd64 console=ttyS0
	# Not pc: KASAN takes half a minute for the loop in its ACPI tables that
	# routes interrupts, and the kernel gives up on it after that.
	qemu=(qemu-system-x86_64 -machine q35 -cpu max)
	[ "$arch" = x86_64 ] || {
		cross=i686-linux-gnu- debian_arch=i386
	}
	;;
arm)
	kbuild_arch=arm image=zImage image_file=arch/arm/boot/zImage
	debian_arch=armhf console=ttyAMA0
	cross=arm-linux-gnueabihf-
	qemu=(qemu-system-arm -machine "virt,highmem=off" -cpu cortex-a15)
	serial_device=virtio-serial-device
	;;
arm64)
	kbuild_arch=arm64 image=Image image_file=arch/arm64/boot/Image
	debian_arch=arm64 console=ttyAMA0
	cross=aarch64-linux-gnu-
	qemu=(qemu-system-aarch64 -machine virt -cpu cortex-a72)
	;;
ppc64le)
	kbuild_arch=powerpc image=vmlinux image_file=vmlinux
	debian_arch=ppc64el console=hvc0
	cross=powerpc64le-linux-gnu-
	qemu=(qemu-system-ppc64 -machine "pseries,x-vof=on" -cpu POWER9)
	;;
*)
	echo "arch.sh: no machine '$arch'; there are: x86_64 i386 arm arm64 ppc64le" >&2
	return 2
	;;
esac
