/**
 * The post step of the action, after all steps of the job: says how the job ended, and waits until the recording plays.
 * It fails nothing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addSummary, booleanInput, input, state, warning } from "./github.mjs";

/** `tapedeck run` waits a minute for the video to play, and some seconds for its runner to end. */
const END_TIMEOUT_MS = 90_000;
/** Long enough for a list of comments and five clips on a slow network. */
const COMMENT_TIMEOUT_MS = 180_000;
const POLL_MS = 100;
const OUTCOMES = { success: "passed", failure: "failed", cancelled: "error" };

async function end() {
	const folder = state("folder");
	// The begin step did not start anything.
	if (folder === "" || !existsSync(join(folder, "run.log"))) return;
	const file = (name) => join(folder, name);
	// GitHub evaluates the defaults of inputs for each step anew: this one is now how the job has ended.
	const status = input("job-status");
	const outcome = OUTCOMES[status] ?? "error";
	if (OUTCOMES[status] === undefined) warning("GitHub did not say how the job ended, so the outcome is error.");
	writeFileSync(file("outcome.new"), outcome);
	renameSync(file("outcome.new"), file("outcome"));
	const deadline = performance.now() + END_TIMEOUT_MS;
	while (!existsSync(file("status")) && performance.now() < deadline) await pause(POLL_MS);
	report(readFileSync(file("run.log"), "utf8").slice(Number(state("logged"))), outcome);
	if (!existsSync(file("status"))) {
		warning("The recording was not delivered in time. What was recorded is in the runner's spool.");
	}
	if (existsSync(file("summary.md"))) addSummary(readFileSync(file("summary.md"), "utf8"));
	rmSync(folder, { recursive: true, force: true });
	if (booleanInput("comment") && state("commands") !== "") comment(state("commands"));
}

/**
 * Annotations and the summary of this step are written by the command itself, which also uploads the clips: it has the variables
 * with which actions upload artifacts.
 * @param commands their folder.
 */
function comment(commands) {
	const clips = uploadsClips() ? mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), "tapedeck-clips-")) : null;
	const options = clips === null ? [] : ["--clips", clips];
	const { status, stdout, stderr } = spawnSync(join(commands, "tapedeck"), ["comment", ...options], {
		encoding: "utf8",
		timeout: COMMENT_TIMEOUT_MS,
		env: {
			...process.env,
			TAPEDECK_URL: input("url"),
			TAPEDECK_API_KEY: input("api-key"),
			GITHUB_TOKEN: input("github-token"),
		},
	});
	if (clips !== null) rmSync(clips, { recursive: true, force: true });
	const said = `${stderr ?? ""}${stdout ?? ""}`.trim();
	if (status === 0) console.log(said);
	else warning(`No comment was written. ${said}`);
}

/** Everybody with an account can download the artifacts of a public repository. */
function uploadsClips() {
	if (input("clips") !== "private") return booleanInput("clips");
	try {
		return JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, "utf8")).repository.private === true;
	} catch {
		return false;
	}
}

/** @param log what `tapedeck run` has printed since the begin step. */
function report(log, outcome) {
	for (const [, sentence] of log.matchAll(/^tapedeck: (.*)$/gm)) {
		// hold.mjs ends like this for a job that was cancelled.
		if (sentence.startsWith("The command was ended by")) continue;
		if (/^Recording \([^)]*\): http/.test(sentence)) console.log(`${sentence}\nOutcome: ${outcome}`);
		// An assumption is no error.
		else if (sentence.startsWith("Times of tests, as assumed:")) console.log(sentence);
		// Failed tests with their links are indented below the recording.
		else if (sentence.startsWith("  ")) console.log(sentence);
		else warning(sentence);
	}
}

try {
	await end();
} catch (reason) {
	warning(`The recording could not be ended: ${reason.message}`);
}
