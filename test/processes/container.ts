/**
 * Runs the steps of a Dockerfile on this machine, which stands in for the base image, and then its command: as the
 * image's user, with a root file system that cannot be written to and the volumes that it declares. Only root can.
 */
import { glob, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { shellQuoted } from "@tapedeck/contract/shell.ts";
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

/** The part of the folder that is sent to a build: only the listed files. */
async function contextOf(path: string): Promise<string[]> {
	const [first, ...rest] = (await readFile(`${path}.dockerignore`, "utf8")).trim().split("\n");
	if (first !== "*" || rest.some((line) => !/^![\w./*-]+$/.test(line))) {
		throw new Error(`${path}.dockerignore must be a list of what is included.`);
	}
	const found: string[] = [];
	for await (const path of glob(
		rest.map((line) => line.slice(1)),
		{ cwd: root },
	))
		found.push(path);
	return found.sort();
}

const SEARCHED = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const PREFACE = `set -e
PATH=$SEARCHED
mount --make-rprivate /
# A file system whose changes are thrown away, with the machine's own below it.
layer() {
	mkdir -p "$1-upper" "$1-work" "$1"
	mount -t overlay overlay -o "lowerdir=$2,upperdir=$1-upper,workdir=$1-work" "$1"
}
inside() {
	local image=$1
	shift
	PATH=$SEARCHED chroot "$image" /bin/sh -c "$*"
}
begin() {
	layer "$1" /
	mount -t proc proc "$1/proc"
	mount --rbind /dev "$1/dev"
	mount -t tmpfs tmpfs "$1/run"
	mkdir -p "$1/usr/local/bin"
	rm -f "$1/usr/local/bin/node"
	touch "$1/usr/local/bin/node"
	mount --bind "$NODE" "$1/usr/local/bin/node"
	inside "$1" "getent passwd node > /dev/null || useradd --non-unique --uid ${NODE_USER} --create-home node"
}
`;

/** The shell commands that perform an image's instructions. */
async function stepsOf(path: string, layers: string): Promise<{ steps: string[]; image: Image }> {
	const context = await contextOf(path);
	const stages = new Map<string, string>();
	const image: Image = { at: "", dir: "/", env: {}, volumes: [], user: "root", command: "", health: "" };
	const steps: string[] = [];
	const shellWords = (words: string) => words.split(/\s+/);
	for (const { name, words } of instructionsOf(await readFile(path, "utf8"))) {
		const here = `${image.at}${image.dir}`;
		if (name === "FROM") {
			const stage = /^node:24-\S+(?: AS (\w+))?$/.exec(words);
			if (stage === null) throw new Error(`An image that this machine cannot stand in for: ${words}`);
			Object.assign(image, { at: `${layers}/${stages.size}`, dir: "/", env: {}, volumes: [], user: "root" });
			stages.set(stage[1] ?? "", image.at);
			steps.push(`begin ${image.at}`);
		} else if (name === "WORKDIR") {
			image.dir = words;
			steps.push(`mkdir -p ${image.at}${words}`);
		} else if (name === "COPY") {
			const from = /^--from=(\w+) (\S+) (\S+)$/.exec(words);
			if (from !== null) {
				steps.push(`mount --rbind ${stages.get(from[1] ?? "")}${from[2]} ${here}/${from[3]}`);
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
	const packages = /^apt-get update && apt-get install -y --no-install-recommends (.*) && rm -rf \S+$/.exec(words)?.[1];
	if (packages !== undefined) return `dpkg -s ${packages} > /dev/null`;
	// These two have run here, with the same lock file and sources.
	if (words === "npm ci --no-audit --no-fund") {
		return `layer ${image.at}-packages ${root}/node_modules; mkdir -p ${here}/node_modules; mount --bind ${image.at}-packages ${here}/node_modules`;
	}
	if (words === "npm run build") return `cp -a ${root}/.next ${root}/command ${here}/`;
	return `inside ${image.at} ${shellQuoted(`cd ${image.dir} && ${words}`)}`;
}

/** @param dockerfile its path below the project's folder. @param env variables that the container gets. */
export async function startContainer(dockerfile: string, env: Record<string, string>): Promise<Container> {
	if (process.getuid?.() !== 0) throw new Error("Only root can mount an image's file systems. Run this test as root.");
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-image-"));
	const layers = join(folder, "layers");
	const { steps, image } = await stepsOf(join(root, dockerfile), layers);
	const variables = { PATH: SEARCHED, ...image.env, ...env };
	const assigned = Object.entries(variables).map(([name, value]) => shellQuoted(`${name}=${value}`));
	const run = (command: string) =>
		`env -i ${assigned.join(" ")} chroot --userspec=${image.user} ${image.at} /bin/sh -c ${shellQuoted(`cd ${image.dir} && ${command}`)}`;
	const script = [
		PREFACE,
		`mkdir -p ${layers}`,
		// The layers are in memory, because the machine's own disk may be an overlay, on which no other one can be mounted.
		`mount -t tmpfs tmpfs ${layers}`,
		...steps,
		// Files copied into a volume's folder are its first content, as with Docker's named volumes.
		...image.volumes.map((volume) => `mkdir -p ${layers}/volumes && cp -a ${image.at}${volume} ${layers}/volumes/`),
		`mount -o remount,ro ${image.at}`,
		...image.volumes.map((volume) => `mount --bind ${layers}/volumes/${volume.split("/").at(-1)} ${image.at}${volume}`),
		`mount -t tmpfs -o mode=1777 tmpfs ${image.at}/tmp`,
		`exec ${run(`exec ${image.command}`)}`,
	].join("\n");
	const file = join(folder, "steps.sh");
	await writeFile(file, script);
	const child = startChild("unshare", ["--mount", "--pid", "--fork", "--kill-child", "bash", file], {
		env: { ...process.env, SEARCHED, NODE: process.execPath },
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
