/** `tapedeck upgrade`: replaces an installed runner by the dashboard's version, by the dashboard's own install.sh. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseEnv } from "node:util";
import { Tapedeck, TapedeckError } from "@tapedeck/client-source/index.ts";
import { errorMessage } from "../base/fault.ts";
import { whyNotAsRoot } from "../base/foreign-files.ts";
import { INSTALLATION, installedCommand } from "../base/installation.ts";
import type { Environment } from "../config/settings.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import { type Call, CommandError, EXIT, type ExitStatus } from "./command.ts";
import { defineCommand, JSON_OPTION, option } from "./define-command.ts";
import { runningRunners } from "./find-runner.ts";

const SCRIPT_TIMEOUT_MS = 30_000;

async function run(call: Call): Promise<ExitStatus> {
	const folder = INSTALLATION;
	if (folder === null) {
		throw new CommandError(
			"not_installed",
			'This tapedeck was not installed by install.sh, so it cannot upgrade itself. In a clone, run "git pull" and "npm ci --workspace runner --omit=dev", then restart the runner; the npm package is replaced by "npm install --global tapedeck@latest"; build an image again.',
		);
	}
	const why = whyNotAsRoot(installedCommand(folder));
	if (why !== null) {
		throw new CommandError(
			"foreign_files",
			`${why}; run this as the user who installed the runner, with sudo -u or su.`,
		);
	}
	const settings = readSettings(join(folder, "runner.env"));
	const script = await fetchScript(settings.TAPEDECK_URL ?? "");
	const [from, to] = [currentVersion(folder), script.version];
	const dryRun = call.values.dryRun === true;
	const options = dryRun ? ["--dry-run"] : [];
	if (from !== to) await runScript(call, { text: script.text, folder, options }, settings);
	const restarted = dryRun ? 0 : await restartRunners(call, folder, to);
	const what = from === to ? `Nothing to do: ${to} is the dashboard's version.` : `Upgraded: ${from} → ${to}.`;
	const then = restarted > 0 ? "\nThe runner restarts as soon as it records and uploads nothing." : "";
	call.print(
		{ from, to, dryRun, restarted },
		dryRun && from !== to ? `Would upgrade: ${from} → ${to}.` : `${what}${then}`,
	);
	return EXIT.done;
}

/** @throws CommandError. */
function readSettings(file: string): Environment {
	try {
		return parseEnv(readFileSync(file, "utf8"));
	} catch (error) {
		throw new CommandError(
			"settings_unreadable",
			`The installation's settings can't be read (${errorMessage(error)}); run this as the user who installed the runner.`,
		);
	}
}

const currentVersion = (folder: string): string => readlinkSync(join(folder, "current"));

/** Gets the dashboard's install.sh, which has its version and checksums. @throws CommandError. */
async function fetchScript(url: string): Promise<{ text: string; version: string }> {
	const unreachable = (why: string, remedy: string) =>
		new CommandError("dashboard_unreachable", `The dashboard at ${url} ${why}; ${remedy}.`);
	const isMissing = (status: number) =>
		unreachable(`has no install.sh (status ${status})`, "check that TAPEDECK_URL in runner.env is right");
	let response: Response;
	let text: string;
	try {
		const client = new Tapedeck({ url, apiKey: null, retries: 0 });
		response = await client.open("GET", "/install.sh", { signal: AbortSignal.timeout(SCRIPT_TIMEOUT_MS) });
		text = await response.text();
	} catch (error) {
		if (error instanceof TapedeckError && error.status !== 0) throw isMissing(error.status);
		throw unreachable(`does not respond (${reasonOf(error)})`, "check that it is running, then try again");
	}
	const version = /^VERSION='([\w.+-]+)'$/m.exec(text)?.[1];
	// A proxy's page must not reach a shell.
	if (version === undefined || !text.startsWith("#!/bin/sh\n# Installs a Tapedeck runner "))
		throw isMissing(response.status);
	return { text, version };
}

/** The message of the innermost cause. */
const reasonOf = (error: unknown): string =>
	error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : errorMessage(error);

/** Runs install.sh, and passes on its progress. @throws CommandError with its sentence. */
async function runScript(
	call: Call,
	{ text, folder, options }: { text: string; folder: string; options: string[] },
	settings: Environment,
): Promise<void> {
	const env = { ...call.env, ...settings } as NodeJS.ProcessEnv;
	const words = ["-s", "--", "--upgrade", "--dir", folder, ...options];
	const child = spawn("/bin/sh", words, { env, stdio: ["pipe", "pipe", "pipe"] });
	let last = "install.sh failed.";
	createInterface(child.stdout).on("line", (line) => call.remark(line));
	createInterface(child.stderr).on("line", (line) => {
		if (line.startsWith("tapedeck: ")) last = line.slice("tapedeck: ".length);
		else call.remark(line);
	});
	// It may end before it has read all of the script.
	child.stdin.on("error", () => undefined);
	child.stdin.end(text);
	const [status] = await once(child, "close");
	if (status !== 0) throw new CommandError("upgrade_failed", last);
}

/** Asks the installation's runners that run another version to restart. @returns how many will. */
async function restartRunners(call: Call, folder: string, version: string): Promise<number> {
	const given = call.values.dataDir;
	const dataDirs =
		typeof given === "string"
			? [given]
			: runningRunners()
					.filter(({ program, isTemporary }) => program.startsWith(`${folder}/`) && !isTemporary)
					.map(({ dataDir }) => dataDir);
	let restarted = 0;
	for (const dataDir of dataDirs) {
		const client = new ControlClient(dataDir);
		try {
			if ((await client.status()).version === version) continue;
			await client.restart();
			restarted += 1;
		} catch (error) {
			if (!(error instanceof ControlError)) throw error;
			if (error.code !== "absent")
				call.remark(`Restart the runner with the data directory ${dataDir}: ${error.message}`);
		}
	}
	return restarted;
}

export const command = defineCommand({
	usage: "tapedeck upgrade [--dry-run]",
	about: `Replaces a runner that install.sh has installed by the version of its dashboard. Settings and recordings stay. What is
downloaded is verified and tried before it takes the place of the old version, which stays beside it. A running runner
becomes the new version as soon as it records and uploads nothing.`,
	options: [
		option("--dry-run", "show what would be done, and change nothing"),
		option(
			"--data-dir <folder>",
			"the data directory of the runner to restart; default all runners of the installation",
		),
		JSON_OPTION,
	],
	notes: ["exit status: 0 done, or nothing to do; 1 failed, and the old version still works; 2 invalid command line"],
	run,
});
