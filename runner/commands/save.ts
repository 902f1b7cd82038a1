/** `tapedeck save`: makes a recording of what a display has shown. */
import { type Call, EXIT, type ExitStatus, usageError } from "./command.ts";
import { option } from "./define-command.ts";
import { withRunner } from "./find-runner.ts";
import { describeRecording } from "./format.ts";
import { pastOf } from "./past.ts";
import { displayOf, nameOf, withJobId } from "./record.ts";
import { runnerCommand } from "./runner-command.ts";
import { exitOf, waitUntilFinal } from "./wait-for-recording.ts";

/** Length that is recorded after the request: the shortest duration of a job. */
const DURATION_SECONDS = 1;

async function run(call: Call): Promise<ExitStatus> {
	const { values } = call;
	const name = nameOf(values.name);
	if (values.last === undefined) throw usageError("Say how much to save, such as --last 2m.");
	const preSeconds = pastOf("last", values.last);
	return withRunner(call, async (client) => {
		const displayId = await displayOf(call, client);
		const { key } = await client.record({ displayId, name, preSeconds, durationSeconds: DURATION_SECONDS });
		if (values.wait === true) {
			const recording = await waitUntilFinal(client, key, call.remark);
			call.print(recording, describeRecording(recording));
			return exitOf(recording);
		}
		let recording = await client.waitFor(key, "recording");
		while (recording.status === "starting") recording = await client.waitFor(key, "recording");
		recording = await withJobId(client, recording);
		call.print(recording, describeRecording(recording));
		return recording.status === "failed" ? EXIT.failed : EXIT.done;
	});
}

export const command = runnerCommand({
	usage: "tapedeck save --last <length> [--display :99] [--name <name>] [--wait]",
	about: `Makes a recording of what a display has shown, from the buffer that the runner of this machine keeps if it has
TAPEDECK_BUFFER, even if the dashboard can't be reached. The recording ends a second later. If the buffer has less, the
recording begins where that does, and its history says so.`,
	options: [
		option("--last <length>", "how much of the past, such as 45s or 2m"),
		option("--display <display>", "whose, such as :99; default DISPLAY, else the runner's only display"),
		option("--name <name>", 'the job\'s name; default "Recording of <display>"'),
		option("--wait", "wait until the video is uploaded"),
	],
	exit: "With --wait, 0 means that the video is completely uploaded.",
	run,
});
