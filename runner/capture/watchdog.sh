#!/bin/sh
# Ends the ffmpegs of a dead runner, unless a runner takes over in time.
# usage: watchdog.sh <data directory> <grace period in seconds>
# <data directory>/runner.pid holds "<pid> <start ticks>" of the runner; every part-*.pid below jobs and buffer holds the
# line of /proc/<pid>/stat of an ffmpeg at its start. It ends when runner.pid is gone (the runner left cleanly).
data=$1
grace=$2
step=2

# start_of <pid>: its start time in ticks; nothing when it is gone. The process name in the line may contain spaces.
start_of() {
	line=
	{ read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
	set -- ${line##*) }
	case $1 in Z | X) return 1 ;; esac
	shift 19
	echo "$1"
}

ffmpegs() {
	for file in "$data"/jobs/*/part-*.pid "$data"/buffer/*/part-*.pid; do
		[ -r "$file" ] || continue
		line=
		read -r line <"$file"
		pid=${line%% *}
		set -- ${line##*) }
		[ $# -ge 20 ] || continue
		shift 19
		[ "$(start_of "$pid")" = "$1" ] && echo "$pid"
	done
}

alone=0
while [ -r "$data/runner.pid" ]; do
	read -r pid start <"$data/runner.pid" || exit 0
	if [ "$(start_of "$pid")" = "$start" ]; then alone=0; else alone=$((alone + step)); fi
	if [ "$alone" -gt "$grace" ]; then
		for victim in $(ffmpegs); do kill -INT "$victim"; done
		sleep 10
		for victim in $(ffmpegs); do kill -KILL "$victim"; done
		exit 0
	fi
	sleep "$step"
done
