#!/bin/sh
# The tapedeck command of a runner that a dashboard's install.sh has installed.
self=$(readlink -f -- "$0") || exit 1
root=$(cd -- "$(dirname -- "$self")/.." && pwd) || exit 1
exec "$root/bin/node24" "$root/dist/tapedeck.cjs" "$@"
