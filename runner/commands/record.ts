/** `tapedeck record`: starts a recording on this machine. */

import { jobNameSchema } from "@tapedeck/contract/job.ts";
import { MAX_DURATION_SECONDS } from "@tapedeck/contract/stop-condition.ts";
import { pause } from "../base/wait.ts";
import type { ControlClient } from "../control/control-client.ts";
import type { LocalRecording } from "../control/messages.ts";
import { displayIdOf, parseDisplayName } from "../displays/display-name.ts";
import { type Call, CommandError, EXIT, type ExitStatus, usageError } from "./command.ts";
import { option } from "./define-command.ts";
import { displayFlag } from "./display-options.ts";
import { withRunner } from "./find-runner.ts";
import { describeRecording } from "./format.ts";
import { pastOf } from "./past.ts";
import { runnerCommand } from "./runner-command.ts";
import { VIDEO_FLAGS, videoOf } from "./video-flags.ts";
import { exitOf, isFinal, waitUntilFinal } from "./wait-for-recording.ts";

/** Maximum time that the command waits for the dashboard to create the job. */
const JOB_WAIT_MS = 3_000;

async function run(call: Call): Promise<ExitStatus> {
	const { values } = call;
	const durationSeconds = durationOf(values.duration);
	const name = nameOf(values.name);
	const video = videoOf(call);
	const preSeconds = values.pre === undefined ? undefined : pastOf("pre", values.pre);
	return withRunner(call, async (client) => {
		const displayId = await displayOf(call, client);
		const waits = values.wait === true;
		let recording = await client.record(
			{ displayId, name, durationSeconds, video, preSeconds },
			waits ? "record" : undefined,
		);
		const { key } = recording;
		// As after Ctrl-C, the recording ends when this process is killed.
		if (waits) void client.own(key);
		const removeHandlers = values.wait === true ? stopOnSignal(client, key, call) : () => undefined;
		while (recording.status === "starting") recording = await client.waitFor(key, "recording");
		if (values.wait === true) {
			if (!isFinal(recording)) call.remark(describeRecording(recording));
			recording = await waitUntilFinal(client, key, call.remark);
			removeHandlers();
			call.print(recording, describeRecording(recording));
			return exitOf(recording);
		}
		recording = await withJobId(client, recording);
		call.print(recording, describeRecording(recording));
		return recording.status === "failed" ? EXIT.failed : EXIT.done;
	});
}

/** Reads --name. @throws CommandError when it is not a name. */
export function nameOf(text: unknown): string | undefined {
	const parsed = jobNameSchema.optional().safeParse(text);
	if (parsed.success) return parsed.data;
	throw usageError(`--name: ${parsed.error.issues[0]?.message}`);
}

function durationOf(text: unknown): number | undefined {
	if (text === undefined) return undefined;
	const seconds = /^\d{1,6}$/.test(String(text)) ? Number(text) : 0;
	if (seconds >= 1 && seconds <= MAX_DURATION_SECONDS) return seconds;
	throw usageError(`--duration: Use a whole number of seconds from 1 to ${MAX_DURATION_SECONDS}, such as 30.`);
}

/** The display that the command names, or the only one. @throws CommandError when there are several, or none. */
export async function displayOf({ values, env }: Call, client: ControlClient): Promise<string> {
	const { display } = values;
	if (typeof display === "string") return displayFlag(display);
	const own = env.DISPLAY ? parseDisplayName(env.DISPLAY) : null;
	if (own !== null) return displayIdOf(own);
	const { displays } = await client.status();
	if (displays.length === 1 && displays[0]) return displays[0].id;
	const words =
		displays.length === 0
			? "The runner has no display; start one, such as Xvfb :99."
			: `The runner has ${displays.map(({ id }) => id).join(", ")}; choose one with --display.`;
	throw new CommandError(displays.length === 0 ? "display_not_found" : "usage", words);
}

/** The recording with the id of its job, if the dashboard creates it soon. */
export async function withJobId(client: ControlClient, recording: LocalRecording): Promise<LocalRecording> {
	if (recording.jobId !== null || isFinal(recording)) return recording;
	const { dashboard } = await client.status();
	if (!dashboard.connected) return recording;
	const known = client.waitFor(recording.key, "known").catch(() => recording);
	return Promise.race([known, pause(JOB_WAIT_MS).then(() => recording)]);
}

/** Stops the recording when the waiting command is interrupted. @returns removes the signal handlers. */
function stopOnSignal(client: ControlClient, key: string, { remark }: Call): () => void {
	let asked = false;
	const onSignal = () => {
		if (asked) process.exit(EXIT.failed);
		asked = true;
		remark("Stopping the recording and waiting for its upload; press again to exit at once.");
		client.stop({ key }).catch((error) => remark(String(error.message)));
	};
	const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
	for (const signal of signals) process.on(signal, onSignal);
	return () => {
		for (const signal of signals) process.off(signal, onSignal);
	};
}

export const command = runnerCommand({
	usage: "tapedeck record [--display :99] [--name <name>] [--duration <seconds>] [--preset sharp] [--fps 30] [--wait]",
	about: `Starts a recording on the runner of this machine, even if the dashboard can't be reached, and returns when the first
frame is captured. It ends after the duration; without one, with "tapedeck stop" or Cancel in the dashboard.`,
	options: [
		option("--display <display>", "what to record, such as :99; default DISPLAY, else the runner's only display"),
		option("--name <name>", 'the job\'s name; default "Recording of <display>"'),
		option("--duration <seconds>", "how long, in whole seconds from the first frame, or from now with --pre"),
		option("--pre <length>", "begin so long ago, such as 45s, with what the runner's buffer has (TAPEDECK_BUFFER)"),
		...VIDEO_FLAGS,
		option("--wait", "wait until the video is uploaded; Ctrl-C stops the recording, a second one exits"),
	],
	exit: "With --wait, 0 means that the video is completely uploaded.",
	run,
});
