/** `tapedeck record`: begins a recording on this machine. */
import type { ControlClient } from "../control/control-client.ts";
import type { LocalRecording } from "../control/messages.ts";
import { displayIdOf, parseDisplayName } from "../displays/display-name.ts";
import { pause } from "../base/wait.ts";
import {
	type Call,
	type Command,
	CommandError,
	EXIT,
	EXIT_HELP,
	type ExitStatus,
	PLACE_HELP,
	PLACE_OPTIONS,
} from "./command.ts";
import { displayFlag } from "./display-flag.ts";
import { withRunner } from "./find-runner.ts";
import { exitOf, isFinal, untilFinal } from "./follow.ts";
import { lineOf } from "./in-words.ts";

/** How long the dashboard gets to number the job before the command goes without. */
const NUMBER_MS = 3_000;
const MAX_SECONDS = 604_800;

const help = `usage: tapedeck record [--display :99] [--name <name>] [--duration <seconds>] [--wait]

Begins a recording on the runner of this machine, whether the dashboard can be reached or not, and comes back when the
first frame is captured. It ends after the duration; without one, with "tapedeck stop" or with Cancel in the dashboard.

  --display <display>     what to record, such as :99; default DISPLAY, else the runner's only display
  --name <name>           the job's name; default "Recording of <display>"
  --duration <seconds>    how long, in whole seconds from the first frame
  --wait                  come back when the video is with the dashboard; Ctrl-C ends the recording, once more leaves
${PLACE_HELP}

${EXIT_HELP}
With --wait, 0 says that the video is complete with the dashboard.
`;

async function run(call: Call): Promise<ExitStatus> {
	const { values } = call;
	const durationSeconds = durationOf(values.duration);
	const name = typeof values.name === "string" ? values.name.trim() : undefined;
	if (name !== undefined && (name === "" || name.length > 200)) {
		throw new CommandError("usage", "--name: Give a name of 1 to 200 characters, or leave it out.", EXIT.usage);
	}
	return withRunner(call, async (client) => {
		const displayId = await displayOf(call, client);
		let recording = await client.record({ displayId, name, durationSeconds });
		const { key } = recording;
		const leave = values.wait === true ? endOnSignal(client, key, call) : () => undefined;
		while (recording.status === "starting") recording = await client.look(key, "recording");
		if (values.wait === true) {
			if (!isFinal(recording)) call.remark(lineOf(recording));
			recording = await untilFinal(client, key, call.remark);
			leave();
			call.tell(recording, lineOf(recording));
			return exitOf(recording);
		}
		recording = await numbered(client, recording);
		call.tell(recording, lineOf(recording));
		return recording.status === "failed" ? EXIT.failed : EXIT.done;
	});
}

function durationOf(text: unknown): number | undefined {
	if (text === undefined) return undefined;
	const seconds = /^\d{1,6}$/.test(String(text)) ? Number(text) : 0;
	if (seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
	throw new CommandError("usage", `--duration: Give whole seconds from 1 to ${MAX_SECONDS}, such as 30.`, EXIT.usage);
}

async function displayOf({ values, env }: Call, client: ControlClient): Promise<string> {
	const { display } = values;
	if (typeof display === "string") return displayFlag(display);
	const own = env.DISPLAY ? parseDisplayName(env.DISPLAY) : null;
	if (own !== null) return displayIdOf(own);
	const { displays } = await client.status();
	if (displays.length === 1 && displays[0]) return displays[0].id;
	const words =
		displays.length === 0
			? "The runner has no display; start one, such as Xvfb :99."
			: `The runner has ${displays.map(({ id }) => id).join(", ")}; say which one with --display.`;
	throw new CommandError(displays.length === 0 ? "display_not_found" : "usage", words);
}

/** The recording with the number of its job, if the dashboard gives one soon. */
async function numbered(client: ControlClient, recording: LocalRecording): Promise<LocalRecording> {
	if (recording.jobId !== null || isFinal(recording)) return recording;
	const { dashboard } = await client.status();
	if (!dashboard.connected) return recording;
	const known = client.look(recording.key, "known").catch(() => recording);
	return Promise.race([known, pause(NUMBER_MS).then(() => recording)]);
}

/** A recording that is waited for ends with the waiting. @returns what takes the handlers away. */
function endOnSignal(client: ControlClient, key: string, { remark }: Call): () => void {
	let asked = false;
	const onSignal = () => {
		if (asked) process.exit(EXIT.failed);
		asked = true;
		remark("Ending the recording and waiting until it is delivered; once more to leave at once.");
		client.stop({ key }).catch((error) => remark(String(error.message)));
	};
	const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
	for (const signal of signals) process.on(signal, onSignal);
	return () => {
		for (const signal of signals) process.off(signal, onSignal);
	};
}

export const command: Command = {
	help,
	options: {
		display: { type: "string" },
		name: { type: "string" },
		duration: { type: "string" },
		wait: { type: "boolean" },
		...PLACE_OPTIONS,
	},
	maxWords: 0,
	run,
};
