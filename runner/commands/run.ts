/** `tapedeck run -- <command>`: records while the command runs, and ends as the command does. */

import { appendFile } from "node:fs/promises";
import { displayEnvironment } from "@tapedeck/client-source/display-environment.ts";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import type { NewDisplay } from "@tapedeck/contract/new-display.ts";
import { KEEPS } from "@tapedeck/contract/recording-kinds.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { JOB_ID, JOB_URL, MASK, RUN_FOLDER } from "@tapedeck/machine/runner-variables.ts";
import { errorMessage } from "../base/fault.ts";
import { secondsOf } from "../base/length.ts";
import { displayIdOf, parseDisplayName } from "../displays/display-name.ts";
import { addToAllure } from "./allure-results.ts";
import { type CommandEnd, runChild } from "./child-command.ts";
import { type Call, type ExitStatus, usageError } from "./command.ts";
import { type CommandDisplay, displayFor } from "./command-display.ts";
import { labelsOf } from "./command-labels.ts";
import { CommandLog } from "./command-log.ts";
import { nameOfCommand } from "./command-name.ts";
import { CommandOutput } from "./command-output.ts";
import { type CommandRecording, type RecordingOrder, startRecording } from "./command-recording.ts";
import { type CommandTestRun, startTestRun } from "./command-test-run.ts";
import { option, repeatable } from "./define-command.ts";
import { displayFlag, sizeOf } from "./display-options.ts";
import { clipFailure } from "./failure-clip.ts";
import { gateStatus, NOT_ASKED } from "./gate.ts";
import { namedSecrets } from "./named-secrets.ts";
import { nameOf } from "./record.ts";
import { runnerCommand } from "./runner-command.ts";
import { posterUrl, type StepSummary, stepSummary } from "./step-summary.ts";
import { NO_REPORTS, testReports } from "./test-reports.ts";
import { VIDEO_FLAGS, videoOf } from "./video-flags.ts";

/** Failed tests of reports that are printed with their links. */
const MAX_LINKS = 50;

async function run(call: Call): Promise<ExitStatus> {
	const { values, positionals, env } = call;
	if (values.gate === true && values.report === undefined)
		throw usageError("Use --gate with --report: the reports say which tests failed.");
	if (positionals.length === 0) throw usageError("Name the command to run, such as: tapedeck run -- npm test");
	if (values.display !== undefined && values.newDisplay !== undefined) {
		throw usageError("Use either --display or --new-display.");
	}
	const size = typeof values.newDisplay === "string" ? sizeOf("new-display", values.newDisplay) : null;
	const secrets = namedSecrets(values.mask);
	const mask = new SecretMask(env, secrets);
	const order = orderOf(call, mask);
	// The reader of our output may close it before the command ends.
	for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
	const display = size === null ? null : await virtualDisplay(call, size);
	// A runner of our own masks what we do.
	const inherited = { ...env, ...maskOf(env, secrets) };
	try {
		const displayId = display?.id ?? order.displayId;
		const isShown = size === null || display !== null;
		let testRun: CommandTestRun | null = null;
		const instead = async (): Promise<string> => {
			// A display that was named should have been recorded.
			testRun = displayId === null ? await startTestRun(call, order) : null;
			return testRun === null
				? "The command runs without a recording."
				: `The results of the command are a test run: ${testRun.url}`;
		};
		const recording = isShown
			? await startRecording({ ...call, env: inherited }, { ...order, displayId }, instead)
			: null;
		const around = recording ?? (testRun as CommandTestRun | null);
		const own = { ...inherited, ...environmentOf(call, recording) };
		const whole = (display === null ? own : displayEnvironment(display.id, own)) as unknown as NodeJS.ProcessEnv;
		const startedAt = Date.now();
		const log = around === null ? null : openLog(call, around, mask);
		const output =
			log === null
				? null
				: await CommandOutput.open(
						(stream, chunk) => log.add(stream, chunk),
						(sentence) => call.remark(`tapedeck: ${sentence}`),
					);
		const command = await runChild(positionals, whole, output);
		// Before the end of the recording: until then, the runner waits for it.
		log?.close();
		if (command.broken) call.remark(`tapedeck: ${command.sentence}`);
		const ended = { startedAt, mask, lastLines: log?.end ?? "" };
		if (recording !== null) return (await finish(call, recording, command, ended)) as ExitStatus;
		const status = (await (testRun as CommandTestRun | null)?.end(command, ended)) ?? command.status;
		return status as ExitStatus;
	} finally {
		await display?.stop();
	}
}

/** @returns null, after a warning, when it cannot be written. */
function openLog(call: Call, { folder }: { folder: string }, mask: SecretMask): CommandLog | null {
	try {
		return new CommandLog(folder, mask);
	} catch (error) {
		call.remark(`tapedeck: The output of the command is not recorded: ${errorMessage(error)}`);
		return null;
	}
}

/** @returns null, after a warning, when it cannot be started. */
async function virtualDisplay(call: Call, size: NewDisplay): Promise<CommandDisplay | null> {
	try {
		return await displayFor(call, size, { ...size, depth: 24 });
	} catch (error) {
		call.remark(`tapedeck: ${errorMessage(error).replace(/\.$/, "")}. The command runs without a recording.`);
		return null;
	}
}

/** Secrets named by flags, for the programs that we start. */
const maskOf = (env: Call["env"], secrets: readonly string[]): Record<string, string> =>
	secrets.length === 0 ? {} : { [MASK]: [env[MASK], ...secrets].filter(Boolean).join("\n") };

/** Tapedeck's variables in the environment of the command. */
function environmentOf(
	{ values: { display: flag } }: Call,
	recording: CommandRecording | null,
): Record<string, string> {
	const { jobId, url } = recording?.begun ?? { jobId: null, url: null };
	return {
		...(recording === null ? {} : { [RUN_FOLDER]: recording.folder }),
		...(typeof flag === "string" ? { DISPLAY: flag } : {}),
		...(jobId === null || url === null ? {} : { [JOB_ID]: String(jobId), [JOB_URL]: url }),
	};
}

/** @returns the exit status: the command's own, unless the gate lets its failures pass. */
async function finish(
	call: Call,
	recording: CommandRecording,
	command: CommandEnd,
	{ startedAt, mask, lastLines }: { startedAt: number; mask: SecretMask; lastLines: string },
): Promise<number> {
	const outcome = command.broken ? "error" : command.status === 0 ? "passed" : "failed";
	const reports = await testReports(call, recording.begun, { startedAt, mask }).catch((error) => {
		call.remark(`tapedeck: The test reports could not be read: ${errorMessage(error)}`);
		return NO_REPORTS;
	});
	const gaveUp = new AbortController();
	const onSignal = () => gaveUp.abort();
	const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
	for (const signal of signals) process.on(signal, onSignal);
	if (reports.tests.length > 0) await recording.addTests(reports.tests);
	const { markers } = reports;
	const last = await recording.end(
		{
			outcome,
			message: mask.apply(command.sentence),
			...(outcome === "passed" || lastLines === "" ? {} : { output: lastLines }),
			...(markers.length === 0 ? {} : { markers }),
		},
		gaveUp.signal,
	);
	if (last.url !== null && outcome !== "passed" && typeof call.values.clipOnFailure === "string") {
		await clipFailure(call, last.url, call.values.clipOnFailure, gaveUp.signal);
	}
	if (last.url !== null && typeof call.values.allure === "string") {
		const from = Date.parse(recording.begun.startedAt ?? "");
		await addToAllure(call, call.values.allure, { url: last.url, startedAt, from }, gaveUp.signal);
	}
	for (const signal of signals) process.off(signal, onSignal);
	const length = formatDuration(last.recordedSeconds);
	const where = last.url ?? "it is in the runner's spool and uploaded when the dashboard can be reached";
	const states: Partial<Record<typeof last.status, string>> = {
		completed: `Recording (${length}): ${where}`,
		failed: `The recording ended early (${length}): ${last.message ?? last.stopReason} ${last.url ?? ""}`.trim(),
		cancelled: "Nothing was recorded: the command ended before the first frame.",
		removed:
			call.values.onlyFailed === true && outcome === "passed"
				? "The command succeeded, so nothing is kept of its recording."
				: "The recording was deleted in the dashboard.",
	};
	call.remark(`tapedeck: ${states[last.status] ?? `Recording (${length}), not uploaded yet: ${where}`}`);
	const { url } = last;
	if (url === null) {
		if (call.values.gate === true) call.remark(`tapedeck: ${NOT_ASKED}`);
		return command.status;
	}
	const resultIds = new Map(Object.entries(last.resultIds ?? {}));
	const links = reports.failed.map(({ title, linkAt }) => ({ title, url: linkAt(url, resultIds) }));
	for (const link of links.slice(0, MAX_LINKS)) call.remark(`tapedeck:   ${link.title}: ${link.url}`);
	if (links.length > MAX_LINKS) call.remark(`tapedeck:   and ${links.length - MAX_LINKS} more failed tests`);
	if (call.values.junitLinks === true) await reports.writeLinks(url, resultIds);
	await writeStepSummary(call, { url, name: last.name, outcome, length, links });
	if (call.values.gate !== true || outcome === "passed") return command.status;
	const jobId = Number(/\/jobs\/(\d+)$/.exec(url)?.[1]);
	const failed = reports.failed.map(({ key }) => resultIds.get(key));
	return gateStatus(call, { owner: { jobId }, isWhole: reports.isWhole, failed, command });
}

/** The table of a GitHub Actions step. */
async function writeStepSummary(call: Call, summary: StepSummary): Promise<void> {
	const file = call.env.GITHUB_STEP_SUMMARY;
	if (!file) return;
	const poster = await posterUrl(call.env, summary.url);
	await appendFile(file, stepSummary(summary, poster)).catch((error) =>
		call.remark(`tapedeck: The step summary could not be written: ${error.message}`),
	);
}

function orderOf(call: Call, mask: SecretMask): RecordingOrder {
	const { values, positionals, env } = call;
	const own = env.DISPLAY ? parseDisplayName(env.DISPLAY) : null;
	const displayId =
		typeof values.display === "string" ? displayFlag(values.display) : own === null ? null : displayIdOf(own);
	const keep = KEEPS.find((known) => known === values.keep);
	if (values.keep !== undefined && keep === undefined) throw usageError(`--keep: Use ${KEEPS.join(" or ")}.`);
	return {
		displayId,
		name: nameOf(values.name) ?? nameOfCommand(positionals, mask),
		labels: labelsOf(call),
		...(keep === undefined ? {} : { keep }),
		...(values.max === undefined ? {} : { maxDurationSeconds: maxOf(String(values.max)) }),
		video: videoOf(call),
		...(values.onlyFailed === true ? { onlyFailed: true } : {}),
	};
}

function maxOf(text: string): number {
	const seconds = secondsOf(text);
	if (seconds !== null) return seconds;
	throw usageError("--max: Use a length such as 90s, 15m or 1h, at most 7d.");
}

export const command = runnerCommand({
	usage: `tapedeck run [--display :99 | --new-display 1920x1080] [--name <name>] [--label <key>=<value>]…
                    [--keep failed | --only-failed] [--max 1h] [--preset sharp] [--fps 30] [--report <pattern>]… [--allure <folder>]
                    [--gate] [--clip-on-failure <file>] -- <command> [arguments]`,
	about: `Records a display while a command runs: waits for the first frame, runs the command with this terminal's streams
and signals, sets the outcome from its exit status, and prints the link when the video plays. Uses the runner of this
machine; without one, starts a runner for as long as it lasts, with TAPEDECK_URL and TAPEDECK_TOKEN. Without a display,
the reports of --report and --allure become a test run, with TAPEDECK_API_KEY. When neither is possible, the command runs all the same. Output that goes to a pipe, as in CI, is recorded as the track log.`,
	options: [
		option("--display <display>", "what to record, such as :99, and the command's DISPLAY; default DISPLAY"),
		option("--new-display <size>", "start a virtual display (Xvfb) of this size for the command, and record it"),
		option("--name <name>", "the job's name; default the first line of the command, without secrets"),
		repeatable(
			"--label <key>=<value>",
			`a label of the recording, such as suite=checkout; repeat it for several. In GitHub Actions,
GitLab, Jenkins and other CI systems (docs/ci.md), build, branch, commit and ci.url
are set without it`,
		),
		option("--keep <policy>", "failed: delete the recording after a while if the command succeeds; default always"),
		option(
			"--only-failed",
			"send nothing to the dashboard until the command has failed, and nothing if it succeeds; there is no live view",
		),
		repeatable(
			"--junit, --report <pattern>",
			`reports that the command writes, such as 'reports/*.xml': each test becomes a test result.
JUnit, CTRF, Allure, Open Test Reporting, Robot Framework's output.xml, Playwright's JSON`,
		),
		option(
			"--junit-links",
			"write a copy of each JUnit report, named *.tapedeck.xml, with the link of each test as a property",
		),
		option(
			"--allure <folder>",
			"Allure results that the command writes: each test gets its link, and a failed one a clip, with TAPEDECK_API_KEY",
		),
		option(
			"--gate",
			`exit with 0 if tests failed and each failure has a cause that is let pass in the dashboard, and nothing else
went wrong; needs --report and TAPEDECK_API_KEY`,
		),
		option(
			"--clip-on-failure <file>",
			"if the command fails, write a clip (MP4) of the failure here; needs TAPEDECK_API_KEY",
		),
		repeatable(
			"--mask <value>",
			"a secret that log and test results must not show, in addition to those in variables such as *_TOKEN; also TAPEDECK_MASK, one a line",
		),
		...VIDEO_FLAGS,
		option("--max <length>", "stop recording after this time, such as 90s, 15m or 1h; the command runs on"),
	],
	exit: "The command's own status, or 0 if --gate lets its failures pass; 128 and the signal's number if a signal ended it, 127 if it was not found.",
	maxArguments: Number.POSITIVE_INFINITY,
	run,
});
