#!/bin/sh
# Installs a Tapedeck runner of the version of the dashboard at @URL@:
#   curl -fsSL @URL@/install.sh | TAPEDECK_TOKEN=tdr_… sh
# Everything is below one directory; uninstall.sh in it removes it again.
set -eu

URL=@URL@
VERSION=@VERSION@
PACKAGE_SHA256=@PACKAGE_SHA256@
NODE_VERSION=@NODE_VERSION@
# Checksums of the program per architecture; empty if this dashboard has none.
NODE_SHA256_X64=@NODE_SHA256_X64@
NODE_SHA256_ARM64=@NODE_SHA256_ARM64@

usage() {
	cat <<USAGE
Installs a Tapedeck runner $VERSION for $URL.

  --token <token>    the runner token, from Runners → Add runner; better in TAPEDECK_TOKEN,
                     for everyone on the machine can read the options of a program
  --name <name>      the runner's name; default the host name
  --dir <directory>  where to install it; default ~/.local/share/tapedeck-runner,
                     or /opt/tapedeck-runner for root
  --service <kind>   system, user or none: a systemd service that starts it now and at boot;
                     default system for root, none otherwise
  --commands <directory>
                     where to link the tapedeck command; default ~/.local/bin, or
                     /usr/local/bin for root
  --auto-upgrade     let the runner follow the dashboard's version whenever it has nothing to do
  --upgrade          replace the program of the runner in the directory, and keep its settings;
                     it is what "tapedeck upgrade" runs
  --dry-run          show what would be done, and change nothing
  --help             show this
USAGE
}

fail() {
	printf 'tapedeck: %s\n' "$1" >&2
	exit 1
}

# All of it is in functions, so that a script that was cut off in the middle does nothing.
main() {
	read_options "$@"
	check_machine
	plan
	if [ "$dry_run" = yes ]; then
		echo "Nothing was changed."
		exit 0
	fi
	work=$(mktemp -d "${TMPDIR:-/tmp}/tapedeck-install.XXXXXX") || fail "Cannot create a directory in ${TMPDIR:-/tmp}."
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	case $work in *\'*) fail "TMPDIR cannot contain quotes: $work" ;; esac
	umask 022
	download_files
	mkdir -p "$dir" || fail "Cannot create $dir. Choose another place with --dir, or run this as root."
	write_steps
	as_owner steps.sh < "$work/settings" || exit 1
	[ "$upgrade" = no ] || exit 0
	link_command
	start_service
	report
}

read_options() {
	token=${TAPEDECK_TOKEN:-}
	name=${TAPEDECK_RUNNER_NAME:-}
	dir='' service='' commands='' dry_run=no upgrade=no auto_upgrade=no
	while [ $# -gt 0 ]; do
		option=$1
		case $option in
			--dry-run) dry_run=yes ;;
			--upgrade) upgrade=yes ;;
			--auto-upgrade) auto_upgrade=yes ;;
			--help)
				usage
				exit 0
				;;
			--token | --name | --dir | --service | --commands)
				[ $# -ge 2 ] && [ -n "$2" ] || fail "$option needs a value."
				shift
				case $option in
					--token) token=$1 ;;
					--name) name=$1 ;;
					--dir) dir=$1 ;;
					--service) service=$1 ;;
					--commands) commands=$(whole_path "$1") ;;
				esac
				;;
			*) fail "Unknown option $option. See --help." ;;
		esac
		shift
	done
	[ -n "$token" ] || fail "Give the runner token: TAPEDECK_TOKEN=tdr_… sh (Runners → Add runner in the dashboard creates one)."
	[ -n "$name" ] || name=$(uname -n)
	# They are written between single quotes, for a shell and for systemd.
	case $name$token in
		*[\'\\[:cntrl:]]*) fail "The name and the token cannot contain quotes, backslashes or control characters." ;;
	esac
	if [ "$(id -u)" = 0 ]; then
		dir=${dir:-/opt/tapedeck-runner}
		commands=${commands:-/usr/local/bin}
		service=${service:-system}
	else
		dir=${dir:-${XDG_DATA_HOME:-$HOME/.local/share}/tapedeck-runner}
		commands=${commands:-$HOME/.local/bin}
		service=${service:-none}
	fi
	dir=$(whole_path "$dir")
	installed=$(readlink "$dir/current" || true)
	case $installed in *[!A-Za-z0-9.+_-]*) installed='' ;; esac
	if [ "$upgrade" = yes ]; then
		service=none
		# The runner may reach the dashboard at another address than the one in this script.
		URL=${TAPEDECK_URL:-$URL}
		[ -n "$installed" ] || fail "There is no runner in $dir. Install it: TAPEDECK_TOKEN=tdr_… sh"
		[ -w "$dir" ] ||
			fail "$(id -un) may not change $dir. Run this as the user who installed the runner, or as root."
	fi
	case $service in
		system) [ "$(id -u)" = 0 ] || fail "A system service needs root. Run this as root, or choose --service user." ;;
		user | none) ;;
		*) fail "--service is system, user or none." ;;
	esac
	if [ "$service" != none ] && [ ! -d /run/systemd/system ]; then
		echo "systemd does not run here, so no service is set up."
		service=none
	fi
}

# It is written into scripts.
whole_path() {
	case $1 in
		/*) path=$1 ;;
		*) path=$PWD/$1 ;;
	esac
	case $path in
		*[!A-Za-z0-9._/-]*) fail "The directory may hold letters, digits, dots, dashes and underscores only: $path" ;;
	esac
	echo "$path"
}

check_machine() {
	[ "$(uname -s)" = Linux ] || fail "A runner needs Linux with X11; this is $(uname -s)."
	for program in tar gzip mktemp; do
		command -v "$program" > /dev/null || fail "$program is missing. Install it, then run this again."
	done
	if command -v curl > /dev/null; then downloader=curl; elif command -v wget > /dev/null; then downloader=wget; else
		fail "Neither curl nor wget is installed. Install one of them, then run this again."
	fi
	# It reads no settings, and arguments can be read by everyone on the machine.
	if [ "$downloader" = wget ] && wget --help 2>&1 | grep -qi busybox; then
		fail "The wget of BusyBox cannot keep the token secret. Install curl (Alpine: apk add curl), then run this again."
	fi
	command -v sha256sum > /dev/null || fail "sha256sum is missing (package coreutils). Install it, then run this again."
	needed_kb=20000
	own_node=no
	kept_node=$dir/current/node_modules/.bin/node
	# A link is to a Node of the machine's.
	[ -x "$kept_node" ] && [ ! -L "$kept_node" ] || kept_node=''
	# An installation with a Node of its own keeps one, whatever this shell's path has.
	[ -z "$kept_node" ] && has_node || need_node
	existing=$dir
	while [ ! -d "$existing" ]; do existing=$(dirname "$existing"); done
	# Nothing where df knows no disk, such as in a chroot.
	free_kb=$(df -Pk "$existing" 2> /dev/null | awk 'NR == 2 { print $4 }')
	[ -z "$free_kb" ] || [ "$free_kb" -ge "$needed_kb" ] ||
		fail "The disk of $existing has $((free_kb / 1000)) MB free, and the runner needs $((needed_kb / 1000)) MB. Free some space, or choose another place with --dir."
}

has_node() {
	command -v node > /dev/null || return 1
	version=$(node --version 2> /dev/null) || return 1
	major=${version#v}
	[ "${major%%.*}" -ge 24 ] 2> /dev/null
}

# Node 24 comes from the dashboard, unless the installation has the same one already.
need_node() {
	case $(uname -m) in
		x86_64 | amd64) arch=x64 node_sha256=$NODE_SHA256_X64 ;;
		aarch64 | arm64) arch=arm64 node_sha256=$NODE_SHA256_ARM64 ;;
		*) fail "Node 24 is missing, and the dashboard has none for $(uname -m). Install Node 24, then run this again." ;;
	esac
	own_node=yes
	if [ -n "$kept_node" ]; then
		[ -n "$node_sha256" ] || return 0
		! is_sha256 "$node_sha256" "$kept_node" || return 0
	fi
	kept_node=''
	needed_kb=320000
	[ -n "$node_sha256" ] ||
		fail "Node 24 is missing, and this dashboard has none for $arch. Install Node 24 here, or run \"npm install --no-save --force node-linux-$arch@$NODE_VERSION\" in the dashboard's folder and restart it."
	if ldd --version 2>&1 | grep -qi musl; then
		fail "Node 24 is missing, and the dashboard's needs glibc, but this machine has musl. Install Node 24 (Alpine: apk add nodejs), then run this again."
	fi
}

is_sha256() {
	printf '%s  %s\n' "$1" "$2" | sha256sum -c > /dev/null 2>&1
}

plan() {
	echo "Tapedeck runner $VERSION \"$name\" for $URL:"
	echo "  program   $dir/$VERSION"
	[ -z "$installed" ] || echo "  replaces  $installed"
	[ "$own_node" = no ] || echo "  Node      $NODE_VERSION for $arch, ${kept_node:-from the dashboard}"
	[ "$upgrade" = no ] || return 0
	echo "  settings  $dir/runner.env"
	echo "  command   $commands/tapedeck"
	case $service in
		system) echo "  service   /etc/systemd/system/tapedeck-runner.service" ;;
		user) echo "  service   $HOME/.config/systemd/user/tapedeck-runner.service" ;;
	esac
}

# The token is passed in files: arguments can be read by everyone on the machine.
download() {
	echo "Downloading $3 …"
	if [ "$downloader" = curl ]; then
		(umask 077 && printf 'header = "Authorization: Bearer %s"\n' "$token" > "$work/curlrc")
		status=$(curl -sS --config "$work/curlrc" --retry 5 -o "$2" -w '%{http_code}' "$URL$1" 2> "$work/why") || status=000
	else
		(umask 077 && printf 'header = Authorization: Bearer %s\n' "$token" > "$work/wgetrc")
		status=200
		WGETRC=$work/wgetrc wget -q --server-response -O "$2" "$URL$1" 2> "$work/why" ||
			status=$(awk '/^ *HTTP\// { code = $2 } END { print code == "" ? "000" : code }' "$work/why")
	fi
	case $status in
		200) ;;
		401 | 403) fail "The dashboard refuses this runner token. Create a new one with Runners → Add runner." ;;
		000) fail "Cannot reach $URL$1: $(tail -n 1 "$work/why")" ;;
		*) fail "The dashboard answered $status to $URL$1. It may have been updated: download the script again." ;;
	esac
}

verify() {
	is_sha256 "$1" "$2" ||
		fail "$3 is not what this script expects. The dashboard may have been updated meanwhile: download the script again."
}

download_files() {
	download /v1/runner/package "$work/package.tar.gz" "the runner"
	verify "$PACKAGE_SHA256" "$work/package.tar.gz" "The runner"
	[ "$own_node" = no ] || [ -n "$kept_node" ] || download "/v1/runner/node/$arch" "$work/node.tar.gz" "Node $NODE_VERSION"
}

# The directory's owner does everything in it: its content may be theirs, and root neither runs nor follows it.
as_owner() {
	owner=$(stat -c %U "$dir")
	if [ "$(id -u)" != 0 ] || [ "$owner" = root ]; then
		sh "$work/$1"
	elif [ "$owner" = UNKNOWN ]; then
		fail "The owner of $dir, $(stat -c %u "$dir"), is no user of this machine. Choose another place with --dir."
	else
		chmod 755 "$work"
		su -s /bin/sh "$owner" -c "sh '$work/$1'"
	fi
}

# The steps in the directory, and the settings, which have a secret.
write_steps() {
	(umask 077 && cat > "$work/settings") <<SETTINGS
TAPEDECK_URL='$URL'
TAPEDECK_TOKEN='$token'
TAPEDECK_RUNNER_NAME='$name'
SETTINGS
	cat > "$work/steps.sh" <<VALUES
set -eu
dir='$dir' work='$work' commands='$commands' installed='$installed' kept_node='$kept_node'
own_node=$own_node upgrade=$upgrade auto_upgrade=$auto_upgrade
VERSION='$VERSION' node_sha256='${node_sha256:-}'
VALUES
	cat >> "$work/steps.sh" <<'STEPS'
fail() {
	printf 'tapedeck: %s\n' "$1" >&2
	exit 1
}

install_files() {
	new=$(mktemp -d "$dir/.new.XXXXXX") || fail "Cannot write to $dir."
	trap 'rm -rf "$new"' EXIT
	chmod 755 "$new"
	tar -xzf "$work/package.tar.gz" -C "$new" --no-same-owner || fail "Cannot unpack the runner; see the message above."
	echo "$VERSION" > "$new/installed-version"
	[ "$own_node" = no ] || install_node
	[ "$("$new/bin/tapedeck" --version)" = "$VERSION" ] ||
		fail "The runner does not start on this machine; see the message above."
	rm -rf "$dir/$VERSION.old"
	[ ! -d "$dir/$VERSION" ] || mv "$dir/$VERSION" "$dir/$VERSION.old"
	mv "$new" "$dir/$VERSION"
	# The rename always leaves one in place: services and commands start what it points to.
	ln -sfn "$VERSION" "$dir/current.new"
	mv -fT "$dir/current.new" "$dir/current"
	remove_old_versions
}

install_node() {
	mkdir -p "$new/node_modules/.bin"
	node=$new/node_modules/.bin/node
	if [ -n "$kept_node" ]; then
		ln "$kept_node" "$node" 2> /dev/null || cp "$kept_node" "$node"
		cp "$dir/current/LICENSE-node" "$new/" 2> /dev/null || true
		return
	fi
	tar -xzf "$work/node.tar.gz" -C "$new/node_modules/.bin" --no-same-owner ||
		fail "Cannot unpack Node; see the message above."
	mv "$new/node_modules/.bin/LICENSE" "$new/LICENSE-node" 2> /dev/null || true
	printf '%s  %s\n' "$node_sha256" "$node" | sha256sum -c > /dev/null 2>&1 ||
		fail "Node is not what this script expects. The dashboard may have been updated meanwhile: download the script again."
	chmod 755 "$node"
}

# The previous version stays: a runner may still run it, and one may want to return to it.
remove_old_versions() {
	for folder in "$dir"/[0-9]*; do
		case ${folder##*/} in
			"$VERSION" | "$installed") ;;
			*) rm -rf "$folder" || true ;;
		esac
	done
}

# Lines that were added to the settings of an earlier installation stay.
write_settings() {
	added=$(grep -v -e '^TAPEDECK_URL=' -e '^TAPEDECK_TOKEN=' -e '^TAPEDECK_RUNNER_NAME=' "$dir/runner.env" 2> /dev/null) || true
	if [ "$auto_upgrade" = yes ]; then
		added=$(printf '%s\n' "$added" | grep -v '^TAPEDECK_AUTO_UPGRADE=') || true
		added="TAPEDECK_AUTO_UPGRADE='true'
$added"
	fi
	(umask 077 && cat > "$dir/runner.env.new" && printf '%s\n' "$added" >> "$dir/runner.env.new")
	mv "$dir/runner.env.new" "$dir/runner.env"
}

write_scripts() {
	cat > "$dir/start.sh" <<START
#!/bin/sh
# Starts the runner with its settings; "start.sh doctor" says with them what this machine lacks.
[ "\${1:-}" = doctor ] || set -- runner "\$@"
# Read as systemd reads them: nothing in them is run.
while IFS= read -r line || [ -n "\$line" ]; do
	name=\${line%%=*} value=\${line#*=}
	case \$name in "\$line" | '' | [0-9]* | *[!A-Za-z0-9_]*) continue ;; esac
	case \$value in
		\'*\') value=\${value#\'} value=\${value%\'} ;;
		\"*\") value=\${value#\"} value=\${value%\"} ;;
	esac
	export "\$name=\$value"
done < "$dir/runner.env"
exec "$dir/current/bin/tapedeck" "\$@"
START
	cat > "$dir/uninstall.sh" <<REMOVE
#!/bin/sh
# Removes the runner from this machine. Recordings that are not uploaded yet stay in its data directory.
if [ -f /etc/systemd/system/tapedeck-runner.service ] && [ "\$(id -u)" = 0 ]; then
	systemctl disable --now tapedeck-runner
	rm -f /etc/systemd/system/tapedeck-runner.service
elif [ -f "\$HOME/.config/systemd/user/tapedeck-runner.service" ]; then
	systemctl --user disable --now tapedeck-runner
	rm -f "\$HOME/.config/systemd/user/tapedeck-runner.service"
fi
[ "\$(readlink "$commands/tapedeck")" != "$dir/current/bin/tapedeck" ] || rm -f "$commands/tapedeck"
rm -rf "$dir"
echo "The runner is removed. Revoke its token in the dashboard under Settings."
REMOVE
	chmod 755 "$dir/start.sh" "$dir/uninstall.sh"
}

install_files
[ "$upgrade" = no ] || exit 0
write_settings
write_scripts
STEPS
	cat > "$work/doctor.sh" <<DOCTOR
exec "$dir/start.sh" doctor < /dev/null
DOCTOR
}

link_command() {
	mkdir -p "$commands"
	if [ -e "$commands/tapedeck" ] && [ ! -L "$commands/tapedeck" ]; then
		echo "$commands/tapedeck is another program, so it stays. Use $dir/current/bin/tapedeck."
	else
		ln -sf "$dir/current/bin/tapedeck" "$commands/tapedeck"
	fi
}

start_service() {
	case $service in
		none) return ;;
		system)
			id tapedeck > /dev/null 2>&1 || useradd --system --create-home tapedeck
			# The service's user replaces the program.
			[ "$auto_upgrade" = no ] || [ "$(stat -c %U "$dir")" != root ] || chown -R tapedeck "$dir"
			unit=/etc/systemd/system/tapedeck-runner.service manager='systemctl' as='User=tapedeck' target=multi-user.target
			;;
		user)
			mkdir -p "$HOME/.config/systemd/user"
			unit=$HOME/.config/systemd/user/tapedeck-runner.service manager='systemctl --user' as='' target=default.target
			;;
	esac
	# The unit is the verified package's: what is in the directory may have been changed by its owner.
	tar -xzOf "$work/package.tar.gz" tapedeck-runner.service |
		sed -e "s|^User=.*|$as|" -e "s|^EnvironmentFile=.*|EnvironmentFile=$dir/runner.env|" \
		-e "s|^ExecStart=.*|ExecStart=$dir/current/bin/tapedeck runner|" -e '/^#/d' -e '/^Documentation=/d' \
		-e "s|^WantedBy=.*|WantedBy=$target|" > "$unit"
	$manager daemon-reload
	$manager enable tapedeck-runner
	$manager restart tapedeck-runner
}

report() {
	echo
	echo "Installed. What this machine lacks, if anything:"
	as_owner doctor.sh || true
	echo
	case $service in
		none) echo "Start it with:   $dir/start.sh" ;;
		system) echo "Its log:         journalctl -u tapedeck-runner" ;;
		user) echo "Its log:         journalctl --user -u tapedeck-runner  (at boot: loginctl enable-linger)" ;;
	esac
	echo "Remove it with:  $dir/uninstall.sh"
}

main "$@"
