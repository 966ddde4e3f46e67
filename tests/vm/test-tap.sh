#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tap.py counts as it says: golden/NAME.tap goes in, the last line of it after
# "### expect" is what comes out last.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
number=0 failed=0
golden=("$here"/golden/*.tap)

echo "1..${#golden[@]}"
for file in "${golden[@]}"; do
	wanted=$(sed -n 's/^### expect //p' "$file")
	status=0
	got=$(sed '/^### expect/d' "$file" | "$here/tap.py" | tail -n 1) || status=$?
	number=$((number + 1))
	# Only what has passes and no failure is a success.
	good=1
	[[ $wanted =~ ^[1-9][0-9]*\ passed,\ 0\ failed ]] && good=0
	if [ "$got" = "$wanted" ] && [ "$status" -eq $good ]; then
		echo "ok $number - $(basename "$file")"
	else
		echo "not ok $number - $(basename "$file")"
		echo "# got '$got' with status $status, wanted '$wanted' with $good"
		failed=1
	fi
done
exit $failed
