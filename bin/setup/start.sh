#!/bin/sh
# Starts bin/setup/<name>.mjs. Runs before anything is installed, with a plain shell and Node 18 or newer.
root=$(cd -- "$(dirname -- "$0")/../.." && pwd) || exit 1
name=$1
shift
version=$(node --version 2>/dev/null)
major=${version#v}
if [ "${major%%.*}" -ge 18 ] 2>/dev/null; then
	cd "$root" || exit 1
	exec node "bin/setup/$name.mjs" "$@"
fi
if [ -z "$version" ]; then found="Node is missing."; else found="Node $version is too old."; fi
echo "$found Install Node 18 or newer with npm (Debian: apt-get install nodejs npm), then run this again." >&2
exit 1
