/** `tapedeck proof`: what a recording shows, in a minute, and a receipt for it. */

import { createHash } from "node:crypto";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { option } from "../define-command.ts";
import { formatSize } from "../format.ts";
import { type ApiCall, apiCommand } from "./api-command.ts";
import { bytesOf, wholeOf } from "./clip.ts";
import { writeClip } from "./clip-file.ts";
import { about } from "./dashboard-client.ts";
import { recordingIdOf, targetOf } from "./recordings.ts";

/** The path of a file's receipt. */
export const receiptOf = (file: string): string => `${file}.receipt.json`;

async function run(call: ApiCall): Promise<ExitStatus> {
	const { client, values } = call;
	const id = await recordingIdOf(call);
	const format: "gif" | "mp4" = values.gif === true ? "gif" : "mp4";
	const file = await targetOf(values.output, `proof-${id}.${format}`);
	if (file === "-") throw usageError("--output: Name a file or a folder.");
	const options = {
		maxSeconds: wholeOf(values.maxSeconds, "--max-seconds", "seconds, such as 60"),
		maxBytes: bytesOf(values.maxSize),
		format,
	};
	const what = `Recording ${id}`;
	const { url, durationSeconds } = await about(what, client.recordings.get(id));
	const bytes = await about(what, client.recordings.proof(id, options));
	const receipt = await about(what, client.recordings.receipt(id, options));
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	if (!Buffer.from(receipt.payload, "base64").toString().includes(sha256)) {
		throw new CommandError("changed", `${what} was changed while its proof was made. Try again.`);
	}
	await write(bytes, file);
	await write(Buffer.from(`${JSON.stringify(receipt, null, "\t")}\n`), receiptOf(file));
	const text = `${file}, ${formatSize(bytes.length)}, of ${formatDuration(durationSeconds)}, and its receipt ${receiptOf(file)}. The whole recording: ${url}`;
	call.print({ recordingId: id, file, receipt: receiptOf(file), bytes: bytes.length, url }, text);
	return EXIT.done;
}

const write = (bytes: Uint8Array<ArrayBuffer>, file: string): Promise<void> =>
	writeClip({ bytes }, file).catch((error) => {
		throw new CommandError(
			"not_written",
			`${file} can't be written: ${error.message}. Choose another place with --output.`,
		);
	});

export const command = apiCommand({
	usage: "tapedeck proof [<recording id> | --job <id>] [--gif] [--output <file>]",
	about: `Cuts a recording down to what changed in it, by default to at most 60 seconds and 10 MB: stretches without change are
shortened to a second, markers and steps are captions and chapters, and the failure comes last, in full. What is left out and
what is faster is said on the picture. A receipt that the dashboard has signed is written beside it: see tapedeck verify.
What you attach to an issue or a pull request is public to all who see that.`,
	options: [
		option("--job <id>", "instead of the recording's id: that of its job"),
		option("--max-seconds <seconds>", "how long it is at most, from 10 to 120; default 60"),
		option("--max-size <size>", "how large it is at most, such as 25MB; default 10MB"),
		option("--gif", "a GIF, which plays where no video does; its pictures are smaller"),
		option("-o, --output <file>", "where to, a file or a folder; default proof-<id>.mp4 or .gif here"),
	],
	maxArguments: 1,
	run,
});
