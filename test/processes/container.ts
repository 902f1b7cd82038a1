/**
 * Runs the steps of a Dockerfile on the Debian release that its base image has, and then its command: as the image's user,
 * with a root file system that cannot be written to and the volumes that it declares. Only root can.
 */
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { shellQuoted } from "@tapedeck/contract/shell.ts";
import { ensureDebian } from "../../bin/setup/ffmpeg-versions.mjs";
import { findProgram } from "../../bin/setup/run.mjs";
import { type Child, startChild } from "./child.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** The user that the base image has. */
const NODE_USER = 1000;

export interface Container extends Child {
	/** Runs a command inside. @returns its exit status and output. */
	run(command: string): Promise<{ status: number | string; output: string }>;
	/** Runs the image's health check. @returns its exit status. */
	checkHealth(): Promise<number | string>;
	/** Sends SIGTERM to its first process. @returns its exit status. */
	terminate(): Promise<number | string>;
	/** Ends it and removes its files. */
	remove(): Promise<void>;
}

interface Instruction {
	name: string;
	words: string;
}

function instructionsOf(dockerfile: string): Instruction[] {
	const lines = dockerfile.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
	return lines.map((line) => {
		const [, name = "", words = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
		if (name === "") throw new Error(`Not an instruction on one line: ${line}`);
		return { name, words };
	});
}

/**
 * The part of the folder that is sent to a build: the listed files and folders. Patterns are refused, because builders do not
 * enter a folder that only a pattern names.
 */
async function contextOf(path: string): Promise<string[]> {
	const [first, ...rest] = (await readFile(`${path}.dockerignore`, "utf8")).trim().split("\n");
	if (first !== "*" || rest.some((line) => !/^![\w./-]+$/.test(line))) {
		throw new Error(`${path}.dockerignore must be a list of paths that are included, without patterns.`);
	}
	return rest.map((line) => line.slice(1)).sort();
}

const SEARCHED = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const PREFACE = `set -e
PATH=$SEARCHED
mount --make-rprivate /
# A file system whose changes are thrown away, above another one.
layer() {
	mkdir -p "$1-upper" "$1-work" "$1"
	mount -t overlay overlay -o "lowerdir=$2,upperdir=$1-upper,workdir=$1-work" "$1"
}
inside() {
	local image=$1
	shift
	PATH=$SEARCHED TMPDIR=/tmp chroot "$image" /bin/sh -c "$*"
}
# The base image: a Debian release.
begin() {
	layer "$1" "$2"
	mount -t proc proc "$1/proc"
	mount --rbind /dev "$1/dev"
	mount -t tmpfs tmpfs "$1/run"
	cp -L /etc/resolv.conf "$1/etc/resolv.conf"
	# For packages' registries with a certificate of an authority that this machine trusts.
	if [ -f /etc/ssl/certs/ca-certificates.crt ]; then install -D -t "$1/etc/ssl/certs" /etc/ssl/certs/ca-certificates.crt; fi
}
# Node's image has Node, npm and a user as well.
begin_with_node() {
	begin "$1" "$2"
	touch "$1/usr/local/bin/node"
	mount --bind "$NODE" "$1/usr/local/bin/node"
	touch "$1/usr/local/LICENSE"
	mkdir -p "$1/usr/local/lib/node_modules/npm"
	mount --bind "$NPM" "$1/usr/local/lib/node_modules/npm"
	ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"
	echo node:x:${NODE_USER}:${NODE_USER}::/home/node:/bin/sh >> "$1/etc/passwd"
	echo node:x:${NODE_USER}: >> "$1/etc/group"
	install -d -o ${NODE_USER} -g ${NODE_USER} "$1/home/node"
}
# A folder of another stage, or a file of it.
copy_from() {
	if [ -d "$1" ]; then
		mkdir -p "$2"
		mount --rbind "$1" "$2"
	else install -D "$1" "$2"; fi
}
`;

/** The shell commands that perform an image's instructions. */
async function stepsOf(
	path: string,
	layers: string,
	release: string | undefined,
): Promise<{ steps: string[]; image: Image }> {
	const context = await contextOf(path);
	const stages = new Map<string, string>();
	const image: Image = { at: "", dir: "/", env: {}, volumes: [], user: "root", command: "", health: "" };
	const steps: string[] = [];
	const shellWords = (words: string) => words.split(/\s+/);
	for (const { name, words } of instructionsOf(await readFile(path, "utf8"))) {
		const here = `${image.at}${image.dir}`;
		if (name === "FROM") {
			const stage = /^(?:(node):24-|debian:)([a-z]+)-slim(?: AS (\w+))?$/.exec(words);
			if (stage === null) throw new Error(`A base image of which the release is not known: ${words}`);
			const base = await ensureDebian(release ?? stage[2]);
			Object.assign(image, { at: `${layers}/${stages.size}`, dir: "/", env: {}, volumes: [], user: "root" });
			stages.set(stage[3] ?? "", image.at);
			steps.push(`${stage[1] === undefined ? "begin" : "begin_with_node"} ${image.at} ${base}`);
		} else if (name === "WORKDIR") {
			image.dir = words;
			steps.push(`mkdir -p ${image.at}${words}`);
		} else if (name === "COPY") {
			const from = /^--from=(\w+) (\S+) (\S+)$/.exec(words);
			if (from !== null) {
				const to = from[3]?.startsWith("/") ? `${image.at}${from[3]}` : `${here}/${from[3]}`;
				steps.push(`copy_from ${stages.get(from[1] ?? "")}${from[2]} ${to}`);
				continue;
			}
			const [to = "", ...sources] = shellWords(words).reverse();
			const copied = sources.flatMap((source) => {
				if (source === ".") return context;
				if (context.some((item) => source.startsWith(`${item}/`))) return [source];
				return context.filter((item) => item === source || item.startsWith(`${source}/`));
			});
			if (copied.length === 0) throw new Error(`COPY ${words}: the list of what is included lacks it.`);
			// A folder keeps its path; files that are copied into a folder lose theirs.
			const target = (item: string) =>
				to.endsWith("/") ? `${here}/${to}${item.split("/").at(-1)}` : `${here}/${item}`;
			steps.push(
				...copied.map((item) => `mkdir -p $(dirname ${target(item)}) && cp -aT ${root}/${item} ${target(item)}`),
			);
		} else if (name === "RUN") steps.push(runStep(words, here, image));
		else if (name === "ENV") {
			for (const pair of shellWords(words))
				image.env[pair.slice(0, pair.indexOf("="))] = pair.slice(pair.indexOf("=") + 1);
		} else if (name === "VOLUME") image.volumes.push(words);
		else if (name === "USER") image.user = words;
		else if (name === "HEALTHCHECK") image.health = commandOf(/ CMD (.*)$/.exec(words)?.[1] ?? "");
		else if (name === "CMD") image.command = commandOf(words);
		else if (name !== "EXPOSE") throw new Error(`An instruction that is not understood: ${name}`);
	}
	return { steps, image };
}

interface Image {
	/** The mount point of its file system. */
	at: string;
	dir: string;
	env: Record<string, string>;
	volumes: string[];
	user: string;
	command: string;
	health: string;
}

const commandOf = (words: string): string =>
	words.startsWith("[") ? (JSON.parse(words) as string[]).map(shellQuoted).join(" ") : words;

function runStep(words: string, here: string, image: Image): string {
	// These two have run here, with the same lock file and sources.
	if (words === "npm ci --no-audit --no-fund") {
		return `layer ${image.at}-packages ${root}/node_modules; mkdir -p ${here}/node_modules; mount --bind ${image.at}-packages ${here}/node_modules`;
	}
	if (words === "npm run build") return `cp -a ${root}/.next ${root}/command ${here}/`;
	return `inside ${image.at} ${shellQuoted(`cd ${image.dir} && ${words}`)}`;
}

export interface ContainerOptions {
	/** A Debian release, in place of the one that the Dockerfile names. */
	release?: string;
	/** The user who runs it, in place of the image's. */
	user?: number;
	/** A volume that cannot be written to, or has no free space. */
	volume?: "read-only" | "full";
	/** A folder with other programs, which take precedence over those of the image. What they need is in the folder above. */
	programs?: string;
}

/** The steps that make a volume different from an empty one on a large disk. */
const VOLUMES: Record<"usual" | "read-only" | "full", (at: string) => string[]> = {
	usual: () => [],
	"read-only": (at) => [`mount -o remount,bind,ro ${at}`],
	full: (at) => [
		`mount -t tmpfs -o size=64k,mode=700,uid=${NODE_USER},gid=${NODE_USER} tmpfs ${at}`,
		`head -c 65536 /dev/zero > ${at}/other || true`,
	],
};

/** @returns the step that shows a folder to the container. It may be below /tmp, which is empty at first. */
const bindFolder = ({ at }: Image, folder: string): string =>
	`mkdir -p ${at}${folder} && mount --bind ${folder} ${at}${folder}`;

/** @returns the steps that show a display of this machine to the container, and no other one. */
function displaySocket({ at }: Image, display: string | undefined): string[] {
	if (display === undefined) return [];
	const socket = `/tmp/.X11-unix/X${display.slice(1)}`;
	return [`mkdir -p ${at}/tmp/.X11-unix && touch ${at}${socket} && mount --bind ${socket} ${at}${socket}`];
}

/** @param dockerfile its path below the project's folder. @param env variables that the container gets. */
export async function startContainer(
	dockerfile: string,
	env: Record<string, string>,
	{ release, programs, user, volume }: ContainerOptions = {},
): Promise<Container> {
	if (process.getuid?.() !== 0) throw new Error("Only root can mount an image's file systems. Run this test as root.");
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-image-"));
	const layers = join(folder, "layers");
	const { steps, image } = await stepsOf(join(root, dockerfile), layers, release);
	const path = programs === undefined ? SEARCHED : `${programs}:${SEARCHED}`;
	const variables = { PATH: path, ...image.env, ...env };
	const assigned = Object.entries(variables).map(([name, value]) => shellQuoted(`${name}=${value}`));
	const run = (command: string) =>
		`env -i ${assigned.join(" ")} chroot --userspec=${user === undefined ? image.user : `${user}:${user}`} ${image.at} /bin/sh -c ${shellQuoted(`cd ${image.dir} && ${command}`)}`;
	const script = [
		PREFACE,
		`mkdir -p ${layers}`,
		// The layers are in memory, because the machine's own disk may be an overlay, on which no other one can be mounted.
		`mount -t tmpfs tmpfs ${layers}`,
		...steps,
		// Files copied into a volume's folder are its first content, as with Docker's named volumes.
		...image.volumes.map((path) => `mkdir -p ${layers}/volumes && cp -a ${image.at}${path} ${layers}/volumes/`),
		...(programs === undefined ? [] : [`mkdir -p ${image.at}${dirname(programs)}`]),
		`mount -o remount,ro ${image.at}`,
		...image.volumes.map((path) => `mount --bind ${layers}/volumes/${path.split("/").at(-1)} ${image.at}${path}`),
		...image.volumes.flatMap((path) => VOLUMES[volume ?? "usual"](`${image.at}${path}`)),
		`mount -t tmpfs -o mode=1777 tmpfs ${image.at}/tmp`,
		...(programs === undefined ? [] : [bindFolder(image, dirname(programs))]),
		...displaySocket(image, env.DISPLAY),
		`exec ${run(`exec ${image.command}`)}`,
	].join("\n");
	const file = join(folder, "steps.sh");
	await writeFile(file, script);
	const npm = await realpath(findProgram("npm") ?? "");
	const child = startChild("unshare", ["--mount", "--pid", "--fork", "--kill-child", "bash", file], {
		env: { ...process.env, SEARCHED, NODE: process.execPath, NPM: dirname(dirname(npm)) },
	});
	/** The container's first process, seen from outside. */
	const first = async (): Promise<number> => {
		const { pid } = child.process;
		return Number(await readFile(`/proc/${pid}/task/${pid}/children`, "utf8"));
	};
	const perform = async (command: string) => {
		const target = String(await first());
		const shell = startChild("nsenter", ["--target", target, "--mount", "--pid", "bash", "-c", run(command)]);
		return { status: await shell.exited, output: shell.output() };
	};
	return {
		...child,
		run: perform,
		async terminate() {
			process.kill(await first(), "SIGTERM");
			return child.exited;
		},
		checkHealth: async () => (await perform(image.health)).status,
		async remove() {
			// All others in it end with the first one, which unshare cannot end once it runs as another user.
			await first().then(
				(pid) => process.kill(pid, "SIGKILL"),
				() => undefined,
			);
			await child.exited;
			await rm(folder, { recursive: true, force: true });
		},
	};
}
