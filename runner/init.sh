#!/bin/sh
# The first process of a container whose command is the runner: passes signals on, takes in the processes that
# lost their parent, and ends with the runner's status. Node does neither: it leaves orphans behind as zombies,
# and as first process it would miss a signal that comes before it listens.
# usage: init.sh <program> [arguments]
child=
asked=
pass() {
	asked=$1
	[ -z "$child" ] || kill -s "$1" "$child" 2>/dev/null
}
for signal in TERM INT HUP; do
	# shellcheck disable=SC2064 # Now, not when it comes.
	trap "pass $signal" "$signal"
done
"$@" &
child=$!
[ -z "$asked" ] || pass "$asked"
status=0
while kill -0 "$child" 2>/dev/null; do
	# Waits for everybody's children; a signal ends it early.
	wait "$child"
	status=$?
done
# The status again, should a signal have come in the very moment of the end; 127: it was told already.
wait "$child"
last=$?
[ "$last" -eq 127 ] || status=$last
exit "$status"
