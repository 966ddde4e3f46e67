# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Sourced by tests in shell, here and with busybox in a VM: results as TAP.

number=0
failed=0
tap_out=$(mktemp)
echo "TAP version 13"

# result "ok"|"not ok" NAME
result() {
	number=$((number + 1))
	echo "$1 $number - $2"
	[ "$1" = ok ] || failed=1
}

# skip_all WHY: nothing here can be tested; ends the script
skip_all() {
	rm -f "$tap_out"
	echo "1..0 # SKIP $*"
	exit 4
}

# expect NAME GOT WANTED: passed if they are equal
expect() {
	if [ "$2" = "$3" ]; then
		result ok "$1"
	else
		result "not ok" "$1"
		printf 'got:\n%s\nwanted:\n%s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

# check NAME COMMAND...: passed if it succeeds; if not, what it said is shown.
# In a function called by it, a command that fails does not end the script.
check() {
	tap_name=$1
	shift
	if "$@" >"$tap_out" 2>&1; then
		result ok "$tap_name"
	else
		result "not ok" "$tap_name"
		tail -n 40 "$tap_out" | sed 's/^/# /'
	fi
}

# says TEXT COMMAND...: it fails, and TEXT is in what it says
says() {
	tap_text=$1
	shift
	if tap_said=$("$@" 2>&1); then
		echo "$tap_said"
		echo "it succeeded; wanted: $tap_text"
		return 1
	fi
	echo "$tap_said"
	case $tap_said in
	*"$tap_text"*) ;;
	*)
		echo "wanted: $tap_text"
		return 1
		;;
	esac
}

# retell PREFIX: the TAP of another such script, from standard input; a plan
# that is missing or not kept is a failure
retell() {
	tap_plan=none tap_first=$number
	while read -r tap_line; do
		case $tap_line in
		"ok "*) result ok "$1: ${tap_line#ok * - }" ;;
		"not ok "*) result "not ok" "$1: ${tap_line#not ok * - }" ;;
		1..*) tap_plan=${tap_line#1..} ;;
		"#"*) echo "$tap_line" ;;
		esac
	done
	if [ "$tap_plan" != $((number - tap_first)) ]; then
		result "not ok" "$1: $((number - tap_first)) results, plan: $tap_plan"
	fi
}

# finish: the plan; ends the script
finish() {
	rm -f "$tap_out"
	echo "1..$number"
	exit $failed
}
