/** Brings `tapedeck` and the programs that it needs to the machine of the job. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { group } from "./github.mjs";

const ANSWER_TIMEOUT_MS = 15_000;
const INSTALL_TIMEOUT_MS = 120_000;
const APT_TIMEOUT_MS = 300_000;
const PACKAGES = { ffmpeg: "ffmpeg", Xvfb: "xvfb" };

/**
 * Installs the dashboard's version of the runner. The folder outlives the job on machines that do; when the dashboard
 * cannot be reached, what an earlier job installed there serves as well.
 * @returns `commands`, the folder of the `tapedeck` command, or null if there is none; and `problem`, why it could not be
 *   installed now, as a sentence, or null.
 */
export async function installRunner({ url, token, runnerName, folder }) {
	const commands = join(folder, "commands");
	const problem = await install({ url, token, runnerName, folder, commands }).then(
		() => null,
		(reason) => reason.message,
	);
	const current = join(folder, "current");
	if (!existsSync(join(current, "bin", "tapedeck"))) return { commands: null, problem };
	linkNode(current);
	return { commands, problem };
}

async function install({ url, token, runnerName, folder, commands }) {
	const script = await download(`${url}/install.sh`);
	const words = ["-s", "--", "--dir", folder, "--commands", commands, "--service", "none"];
	const name = runnerName === "" ? {} : { TAPEDECK_RUNNER_NAME: runnerName };
	// The action's own Node comes first: then the installer needs no other one.
	const env = { ...process.env, PATH: `${join(process.execPath, "..")}:${process.env.PATH}`, ...name };
	try {
		const { status, output } = await shell(words, script, { ...env, TAPEDECK_TOKEN: token });
		if (status === 0) group("Install Tapedeck's runner", output);
		else throw new Error(lastSentence(output) ?? `The runner's installer did not succeed: ${output.trim()}`);
	} finally {
		// `tapedeck run` is given the token; a file would keep it on the machine.
		for (const file of ["runner.env", "start.sh"]) rmSync(join(folder, file), { force: true });
	}
}

async function download(address) {
	try {
		const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
		const text = await response.text();
		if (response.ok && text.startsWith("#!/bin/sh")) return text;
		throw new Error(response.ok ? "this is no installer" : `it answers ${response.status}`);
	} catch (reason) {
		throw new Error(
			`${address} cannot be downloaded: ${reason.cause?.message || reason.cause?.code || reason.message}.`,
		);
	}
}

function shell(words, script, env) {
	return new Promise((resolve, reject) => {
		const child = spawn("sh", words, { env, stdio: ["pipe", "pipe", "pipe"], timeout: INSTALL_TIMEOUT_MS });
		let output = "";
		for (const stream of [child.stdout, child.stderr]) {
			stream.on("data", (chunk) => {
				output += chunk;
			});
		}
		child.once("error", reject);
		child.once("close", (status) => resolve({ status, output }));
		child.stdin.on("error", () => undefined);
		child.stdin.end(script);
	});
}

/** @returns what the last line of Tapedeck's own says. */
export const lastSentence = (text) =>
	text
		.match(/^tapedeck: .*$/gm)
		?.at(-1)
		?.slice("tapedeck: ".length) ?? null;

/** Later steps have another Node on their path, or none. */
function linkNode(folder) {
	const bin = join(folder, "node_modules", ".bin");
	mkdirSync(bin, { recursive: true });
	rmSync(join(bin, "node"), { force: true });
	symlinkSync(process.execPath, join(bin, "node"));
}

/** Installs programs that are missing on machines of GitHub, which are new for each job. Others stay as they are. */
export function installPrograms(programs) {
	const missing = programs.filter((program) => !isInstalled(program));
	if (missing.length === 0 || process.env.RUNNER_ENVIRONMENT !== "github-hosted" || !isInstalled("apt-get")) return;
	const become = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
	const apt = (...words) => {
		const [program, ...rest] = [...become, "apt-get", "-q", ...words];
		return spawnSync(program, rest, { encoding: "utf8", timeout: APT_TIMEOUT_MS });
	};
	const packages = missing.map((program) => PACKAGES[program]);
	const done = [apt("update"), apt("install", "-y", "--no-install-recommends", ...packages)];
	// `tapedeck run` names programs that are still missing.
	group(
		`Install ${missing.join(" and ")}`,
		done.map(({ stdout, stderr }) => `${stdout ?? ""}${stderr ?? ""}`).join(""),
	);
}

const isInstalled = (program) =>
	(process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, program)));
