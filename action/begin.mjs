/**
 * The step of the action: installs the runner, starts `tapedeck run` around a command that lasts as long as the job
 * (hold.mjs), and returns with the first frame. A recording that is not possible is one warning, and the job continues.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
	addPath,
	booleanInput,
	error,
	exportVariable,
	InputError,
	input,
	inputLines,
	mask,
	saveState,
	setOutput,
	warning,
} from "./github.mjs";
import { installPrograms, installRunner, lastSentence } from "./install.mjs";

const HOLD = join(import.meta.dirname, "hold.mjs");
const DEFAULT_SIZE = "1920x1080";
/** Longer than Xvfb, a runner and the first frame may take for `tapedeck run`, all together. */
const BEGIN_TIMEOUT_MS = 90_000;
const POLL_MS = 100;
const USAGE_ERROR = 2;

async function begin() {
	const settings = readSettings();
	const temporary = process.env.RUNNER_TEMP || tmpdir();
	const folder = mkdtempSync(join(temporary, "tapedeck-"));
	saveState("folder", folder);
	installPrograms(settings.size === "" ? ["ffmpeg"] : ["ffmpeg", "Xvfb"]);
	const commands = await prepareRunner(settings, join(process.env.RUNNER_TOOL_CACHE || temporary, "tapedeck-runner"));
	if (commands !== null) saveState("commands", commands);
	const begun = await start(settings, folder, commands);
	publish(settings, begun, commands);
}

/** @throws InputError about what does not depend on the dashboard's version; `tapedeck run` checks the rest. */
function readSettings() {
	const [url, token, apiKey] = [input("url").replace(/\/+$/, ""), input("token"), input("api-key")];
	for (const secret of [token, apiKey]) mask(secret);
	if (booleanInput("comment") && apiKey === "")
		throw new InputError("comment: Set api-key too: the comment is made of the build's report.");
	if (url !== "" && !/^https?:\/\/[^/\s]+/.test(url)) {
		throw new InputError("url: Use the dashboard's base URL, such as https://tapedeck.example.com.");
	}
	const [display, given] = [input("display"), input("new-display")];
	if (display !== "" && given !== "") throw new InputError("Use either display or new-display.");
	if (given !== "" && !/^\d{2,5}x\d{2,5}$/.test(given)) {
		throw new InputError("new-display: Use a size in pixels, such as 1920x1080.");
	}
	const size = given === "" && display === "" && !process.env.DISPLAY ? DEFAULT_SIZE : given;
	return { url, token, apiKey, runnerName: input("runner-name"), display, size, flags: readFlags(display, size) };
}

/** @returns the words of `tapedeck run` before the command. */
function readFlags(display, size) {
	const flag = (name, value) => (value === "" ? [] : [`--${name}`, value]);
	const { GITHUB_WORKFLOW = "", GITHUB_JOB = "" } = process.env;
	return [
		...flag("display", display),
		...flag("new-display", size),
		...flag("name", input("name") || [GITHUB_WORKFLOW, GITHUB_JOB].filter((part) => part !== "").join(" / ")),
		...inputLines("labels").flatMap((label) => flag("label", label)),
		...flag("keep", input("keep")),
		...flag("max", input("max")),
		...inputLines("junit").flatMap((pattern) => flag("junit", pattern)),
		...(booleanInput("junit-links") ? ["--junit-links"] : []),
	];
}

/** @returns the folder of the `tapedeck` command; null, after a warning, if there is none. */
async function prepareRunner({ url, token, runnerName }, folder) {
	if (url === "" || token === "") {
		const missing = [
			["url", url],
			["token", token],
		].flatMap(([name, value]) => (value === "" ? [name] : []));
		warning(
			`Without ${missing.join(" and ")}, the job runs without a recording. GitHub gives no secrets to pull requests from forks.`,
		);
		return null;
	}
	const { commands, problem } = await installRunner({ url, token, runnerName, folder });
	if (problem === null) return commands;
	if (commands === null) warning(`${problem} The job runs without a recording.`);
	else console.log(`${problem} The runner of an earlier job is used.`);
	return commands;
}

/** @returns what hold.mjs has written. @throws Error when there is no display. */
async function start(settings, folder, commands) {
	const hold = [process.execPath, HOLD, folder];
	if (commands !== null) {
		const words = [join(commands, "tapedeck"), "run", ...settings.flags, "--", ...hold];
		const { begun, problem } = await run(words, settings, folder);
		if (begun !== null) return begun;
		warning(`${problem} The job runs without a recording.`);
	}
	const { begun, problem } = await run([...hold, ...(settings.size === "" ? [] : [settings.size])], settings, folder);
	if (begun === null) throw new Error(problem);
	return begun;
}

/**
 * Starts the command, which outlives this step: its end is a file as well, because nobody waits for it.
 * @returns what hold.mjs has written, or why it has not.
 * @throws InputError about a flag.
 */
async function run(command, settings, folder) {
	const script = '"$@" > "$0/run.log" 2>&1 < /dev/null; echo $? > "$0/status.new"; mv "$0/status.new" "$0/status"';
	const file = (name) => join(folder, name);
	rmSync(file("status"), { force: true });
	const child = spawn("sh", ["-c", script, folder, ...command], {
		detached: true,
		stdio: "ignore",
		env: environment(settings, folder),
	});
	child.unref();
	const deadline = performance.now() + BEGIN_TIMEOUT_MS;
	while (!existsSync(file("begun.json")) && !existsSync(file("status")) && performance.now() < deadline) {
		await pause(POLL_MS);
	}
	const log = readFileSync(file("run.log"), "utf8");
	saveState("logged", String(log.length));
	if (existsSync(file("begun.json"))) {
		for (const [, sentence] of log.matchAll(/^tapedeck: (.*)$/gm)) warning(sentence.replace("The command", "The job"));
		return { begun: JSON.parse(readFileSync(file("begun.json"), "utf8")), problem: null };
	}
	if (!existsSync(file("status"))) {
		process.kill(-Number(child.pid), "SIGKILL");
		return { begun: null, problem: "The recording did not begin in time." };
	}
	const problem = asInputs(lastSentence(log) ?? log.trim());
	if (Number(readFileSync(file("status"), "utf8")) === USAGE_ERROR) throw new InputError(problem);
	return { begun: null, problem };
}

/** Flags of `tapedeck run` as the workflow has them. */
const asInputs = (sentence) => sentence.replaceAll(/--label\b/g, "labels").replaceAll(/--([a-z]+(-[a-z]+)*)/g, "$1");

/** The variables of this process without what GitHub gives only to actions. */
function environment({ url, token, apiKey, runnerName, display }, folder) {
	const ofActions = /^(INPUT_|STATE_|ACTIONS_)|^GITHUB_(ENV|OUTPUT|PATH|STATE)$/;
	return {
		...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofActions.test(name))),
		...(url === "" ? {} : { TAPEDECK_URL: url }),
		...(token === "" ? {} : { TAPEDECK_TOKEN: token }),
		...(apiKey === "" ? {} : { TAPEDECK_API_KEY: apiKey }),
		...(runnerName === "" ? {} : { TAPEDECK_RUNNER_NAME: runnerName }),
		...(display === "" ? {} : { DISPLAY: display }),
		// This step's summary is closed when the step ends. The post step adds it to its own.
		GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
	};
}

function publish({ url }, begun, commands) {
	const outputs = { url: begun.url, "job-id": begun.jobId, display: begun.display };
	for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
	const variables = {
		DISPLAY: begun.display,
		XAUTHORITY: begun.authority,
		...(commands === null ? {} : { TAPEDECK_URL: url }),
		// This folder lets tapedeck mark work without an API key.
		...(begun.folder ? { TAPEDECK_RUN: begun.folder } : {}),
		...(begun.jobId === "" ? {} : { TAPEDECK_JOB_ID: begun.jobId, TAPEDECK_JOB_URL: begun.url }),
	};
	for (const [name, value] of Object.entries(variables)) if (value !== "") exportVariable(name, value);
	if (commands !== null) addPath(commands);
	if (begun.url !== "") console.log(`Recording ${begun.display}: ${begun.url}`);
}

try {
	await begin();
} catch (reason) {
	error(reason.message);
	process.exitCode = 1;
}
