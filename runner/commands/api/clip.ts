/** `tapedeck clip`: a stretch of a recording as a small file. */

import type { ClipOptions } from "@tapedeck/client-source/index.ts";
import { formatPosition } from "@tapedeck/contract/video-time.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { option } from "../define-command.ts";
import { formatSize } from "../format.ts";
import { type ApiCall, apiCommand } from "./api-command.ts";
import { writeClip } from "./clip-file.ts";
import { about } from "./dashboard-client.ts";
import { momentOf, recordingIdOf, targetOf } from "./recordings.ts";

async function run(call: ApiCall): Promise<ExitStatus> {
	const { values, client } = call;
	const format = values.gif === true ? "gif" : "mp4";
	const options: ClipOptions = {
		from: momentOf(values.from, "--from"),
		to: momentOf(values.to, "--to"),
		maxBytes: bytesOf(values.maxSize),
		size: wholeOf(values.width, "--width"),
		...(values.exact === true ? { exact: "1" as const } : {}),
		...(values.besidePassed === true ? { against: "last-passed" as const } : {}),
		format,
	};
	const id = await recordingIdOf(call);
	const target = await targetOf(values.output, `clip-${id}.${format}`);
	if (target === "-" && call.values.json === true)
		throw usageError("--json: Standard output is the clip; leave --json out, or name a file.");
	if (target === "-" && process.stdout.isTTY)
		throw usageError("--output: Standard output is this terminal; name a file, or pipe the clip to a program.");
	const clip = await about(`Recording ${id}`, client.recordings.clip(id, options));
	if (target === "-") {
		await new Promise<void>((resolve) => process.stdout.write(clip.bytes, () => resolve()));
		return EXIT.done;
	}
	await writeClip(clip, target).catch((error) => {
		throw new CommandError(
			"not_written",
			`${target} can't be written: ${error.message}. Choose another place with --output.`,
		);
	});
	const { from, to, bytes } = clip;
	const what = `${target}, ${formatPosition(from)} to ${formatPosition(to)}, ${formatSize(bytes.length)}`;
	call.print({ recordingId: id, file: target, from, to, bytes: bytes.length }, what);
	return EXIT.done;
}

/** Reads `10MB`, `500KB` or bytes. */
export function bytesOf(text: ApiCall["values"][string]): number | undefined {
	if (text === undefined) return undefined;
	const [, number, unit = ""] = /^(\d{1,9})(KB|MB)?$/i.exec(String(text)) ?? [];
	if (number === undefined) throw usageError("--max-size: Use a size such as 10MB or 500KB.");
	return Number(number) * ({ kb: 1_000, mb: 1_000_000 }[unit.toLowerCase()] ?? 1);
}

export function wholeOf(
	text: ApiCall["values"][string],
	flag: string,
	what = "pixels, such as 640",
): number | undefined {
	if (text === undefined) return undefined;
	if (/^\d{1,5}$/.test(String(text))) return Number(text);
	throw usageError(`${flag}: Use a number of ${what}.`);
}

export const command = apiCommand({
	usage: "tapedeck clip [<recording id> | --job <id>] [--from 1:15] [--to 1:30] [--output <file>]",
	about: `Cuts a clip out of a recording, also while it records: by default 20 seconds before its first failure to 5 seconds
after it, as an MP4 of at most 10 MB that plays everywhere. What you attach to an issue or a pull request is public to all
who see that.`,
	options: [
		option("--job <id>", "instead of the recording's id: that of its job"),
		option("--from <time>", "where it begins, such as 75 or 1:15; up to a few seconds earlier without --exact"),
		option("--to <time>", "where it ends"),
		option("--exact", "begin at the very frame: the clip is encoded for that"),
		option("--gif", "a GIF, of at most a minute"),
		option("--width <pixels>", "how wide it is at most"),
		option("--max-size <size>", "how large it is at most, such as 25MB; default 10MB"),
		option("--beside-passed", "on its right, the last recording of the same test that passed"),
		option("-o, --output <file>", "where to, a file or a folder, or - for standard output; default clip-<id>.mp4 here"),
	],
	maxArguments: 1,
	run,
});
