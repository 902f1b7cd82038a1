/** `tapedeck log < file`: adds lines, with the times that are in them, to a track of a job's recording. */
import { appendFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReportedLine } from "@tapedeck/client-source/index.ts";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { trackNameSchema } from "@tapedeck/contract/track.ts";
import { API_KEY, JOB_ID, RUN_FOLDER } from "@tapedeck/machine/runner-variables.ts";
import { trackFile } from "../spool/track-files.ts";
import { type ApiCall, apiCommand, idOf } from "./api/api-command.ts";
import { about } from "./api/dashboard-client.ts";
import { type Call, type Command, EXIT, type ExitStatus, usageError } from "./command.ts";
import { option, repeatable } from "./define-command.ts";
import { readLogLine } from "./log-times.ts";
import { namedSecrets } from "./named-secrets.ts";

/** Piped input is shown while it arrives. */
const SENT_EVERY_MS = 1_000;
const MAX_LINES = 5_000;

async function viaApi(call: ApiCall): Promise<ExitStatus> {
	const { client, values, env } = call;
	const job = typeof values.job === "string" ? values.job : env[JOB_ID] || undefined;
	if (job === undefined) throw usageError("Name the job with --job, such as: tapedeck log --job 12 < server.log");
	const id = idOf(job, "job");
	const name = trackOf(call);
	let [sent, refused] = [0, 0];
	const withoutTime = await eachBatch(call, async (lines) => {
		const track = await about(`Job ${id}`, client.jobs.addTrack(id, name, lines));
		sent += lines.length;
		refused += track.refused;
	});
	const added = sent - refused;
	call.print({ lines: added, refused, withoutTime }, describe(added, withoutTime, name, `Job ${id}`));
	return EXIT.done;
}

/** In a command of `tapedeck run`: into the spool of the runner, which needs no API key and no connection. */
async function viaSpool(call: Call, folder: string): Promise<ExitStatus> {
	const name = trackOf(call);
	let added = 0;
	const withoutTime = await eachBatch(call, async (lines) => {
		const ndjson = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
		await appendFile(trackFile(folder, name), ndjson, { mode: 0o600 });
		added += lines.length;
	});
	call.print({ lines: added, refused: 0, withoutTime }, describe(added, withoutTime, name, "the recording"));
	return EXIT.done;
}

function describe(lines: number, withoutTime: number, name: string, what: string): string {
	const added = `Added ${lines} ${lines === 1 ? "line" : "lines"} to the track ${name} of ${what}.`;
	if (withoutTime === 0) return added;
	const had = withoutTime === 1 ? "1 line had no time and has" : `${withoutTime} lines had no time and have`;
	return `${added} ${had} that of the line before, or of now.`;
}

function trackOf({ values }: Call): string {
	const name = values.track ?? "log";
	if (trackNameSchema.safeParse(name).success) return name as string;
	throw usageError("--track: Use letters, digits, dots, underscores and hyphens, such as console.chrome.");
}

/**
 * Reads standard input to its end.
 * @param send gets lines with their times, by this machine's clock.
 * @returns how many lines had no time of their own.
 */
async function eachBatch({ values, env }: Call, send: (lines: ReportedLine[]) => Promise<void>): Promise<number> {
	let withoutTime = 0;
	const mask = new SecretMask(env, namedSecrets(values.mask));
	let batch: ReportedLine[] = [];
	let before: Date | null = null;
	let sentAt = performance.now();
	for await (const text of createInterface({
		input: Readable.from(decoded(process.stdin)),
		crlfDelay: Number.POSITIVE_INFINITY,
	})) {
		const line = readLogLine(mask.apply(text));
		// Without a time, such as those of a stack, it goes with the line before.
		if (line.at !== null) before = line.at;
		else withoutTime++;
		batch.push({ ...line, at: before ?? new Date() });
		if (batch.length < MAX_LINES && performance.now() - sentAt < SENT_EVERY_MS) continue;
		await send(batch);
		[batch, sentAt] = [[], performance.now()];
	}
	if (batch.length > 0) await send(batch);
	return withoutTime;
}

/** UTF-8, or UTF-16 as Windows writes it, without a byte order mark. */
export async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
	let decoder: TextDecoder | null = null;
	let first: Buffer = Buffer.alloc(0);
	for await (const chunk of chunks) {
		first = Buffer.concat([first, chunk]);
		if (decoder === null && first.length < 2) continue;
		decoder ??= new TextDecoder(encodingOf(first));
		yield decoder.decode(first, { stream: true });
		first = Buffer.alloc(0);
	}
	decoder ??= new TextDecoder();
	yield decoder.decode(first, { stream: true }) + decoder.decode();
}

/** By its byte order mark; a first character of ASCII has a zero beside it in UTF-16. */
function encodingOf([a, b]: Buffer): string {
	if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0)) return "utf-16le";
	return (a === 0xfe && b === 0xff) || (a === 0 && b !== 0) ? "utf-16be" : "utf-8";
}

const api = apiCommand({
	usage: "tapedeck log [--job <id>] [--track <name>] [--mask <value>]… < file",
	about: `Adds the lines of standard input to a track of a job's recording, while it records or afterwards. Times at the
beginning of lines are read in the usual formats; a line without one goes with the line before, and without any, it is
of now. In a command that "tapedeck run" runs, it is that command's job, and no API key is needed.`,
	options: [
		option("--job <id>", "the job; default TAPEDECK_JOB_ID"),
		option("--track <name>", "the track, such as console or log.server; default log"),
		repeatable(
			"--mask <value>",
			"a secret that the track must not show, in addition to those in variables such as *_TOKEN",
		),
	],
	run: viaApi,
});

export const command: Command = {
	...api,
	run: (call) => {
		const folder = call.env[RUN_FOLDER];
		const isOfRun = folder && call.values.job === undefined && !call.env[API_KEY];
		return isOfRun ? viaSpool(call, folder) : api.run(call);
	},
};
