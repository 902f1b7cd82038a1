#!/bin/sh
# Process 1 of a container whose command is the runner: forwards signals, reaps orphaned processes, and exits with the
# runner's status. As process 1, Node would leave orphans behind as zombies, and miss signals that arrive before its
# handlers are installed.
# usage: init.sh <program> [arguments]
child=
asked=
pass() {
	asked=$1
	[ -z "$child" ] || kill -s "$1" "$child" 2>/dev/null
}
for signal in TERM INT HUP; do
	# shellcheck disable=SC2064 # Expand $signal now.
	trap "pass $signal" "$signal"
done
"$@" &
child=$!
[ -z "$asked" ] || pass "$asked"
status=0
while kill -0 "$child" 2>/dev/null; do
	# Also reaps orphans; a signal interrupts it.
	wait "$child"
	status=$?
done
# Asks again in case a signal interrupted `wait` just as the child ended; 127 means that the status was read already.
wait "$child"
last=$?
[ "$last" -eq 127 ] || status=$last
exit "$status"
