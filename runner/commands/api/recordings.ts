/** `tapedeck recordings`: the dashboard's videos. */

import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
	type CreateShareLink,
	type Recording,
	type RestoredRecordings,
	TapedeckError,
	type UnpinnedRecordings,
} from "@tapedeck/client-source/index.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { secondsOf } from "../../base/length.ts";
import { styled } from "../../base/terminal.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { option } from "../define-command.ts";
import { formatSize } from "../format.ts";
import { type ApiCall, apiCommand, apiCommands, idOf, LIST_OPTIONS, readList, remarkMore } from "./api-command.ts";
import { about } from "./dashboard-client.ts";
import { download, stream } from "./download.ts";
import { readJob } from "./job.ts";
import { createProgress } from "./progress.ts";
import { coloredState, labelText, localTime, table } from "./table.ts";

async function runList(call: ApiCall): Promise<ExitStatus> {
	const page = await readList(call, (filter) => call.client.recordings.list(filter));
	const rows = page.data.map((recording) => [
		String(recording.id),
		String(recording.jobId ?? "-"),
		coloredState(recording.state),
		coloredState(recording.outcome ?? "-"),
		coloredState(recording.verdict ?? "-"),
		formatDuration(recording.durationSeconds),
		formatSize(recording.bytes),
		localTime(recording.createdAt),
		recording.name,
	]);
	const columns = ["ID", "JOB", "STATE", "OUTCOME", "VERDICT", "LENGTH", "SIZE", "CREATED", "NAME"];
	call.print(page, rows.length === 0 ? "No recordings found." : table(columns, rows));
	remarkMore(call, page.nextCursor);
	return EXIT.done;
}

/** The recording that a command names by its id, or by its job's. */
export async function recordingIdOf(call: ApiCall): Promise<number> {
	const [word] = call.positionals;
	const { job } = call.values;
	if (job === undefined) return idOf(word, "recording");
	if (word !== undefined) throw usageError("Name either a recording or, with --job, a job.");
	const { id, status, recording } = await readJob(call, idOf(String(job), "job"));
	if (recording !== null) return recording.id;
	throw new CommandError("no_recording", `Job ${id} has no recording: it is ${status}. See "tapedeck jobs get ${id}".`);
}

async function readRecording(call: ApiCall): Promise<Recording> {
	const id = await recordingIdOf(call);
	return about(`Recording ${id}`, call.client.recordings.get(id));
}

async function runGet(call: ApiCall): Promise<ExitStatus> {
	const recording = await readRecording(call);
	const { id, jobId, name, state, outcome, verdict, durationSeconds, bytes, width, height } = recording;
	const size = width === null || height === null ? "" : `, ${width}x${height}`;
	const lines: [string, string | null][] = [
		["job", jobId === null ? null : String(jobId)],
		["state", coloredState(state)],
		["outcome", outcome && coloredState(outcome)],
		["verdict", verdict && coloredState(verdict)],
		["video", `${formatDuration(durationSeconds)}, ${formatSize(bytes)}${size}`],
		["created", localTime(recording.createdAt)],
		["deleted at", recording.deleteAt && localTime(recording.deleteAt)],
		["labels", labelText(recording.labels) || null],
		["page", recording.url],
	];
	const shown = lines.filter((line): line is [string, string] => line[1] !== null);
	const text = shown.map(([name, value]) => `  ${name.padEnd(10)} ${value}`);
	call.print(recording, [`Recording ${id} "${styled("bold", name)}"`, ...text].join("\n"));
	return EXIT.done;
}

async function runDownload(call: ApiCall): Promise<ExitStatus> {
	const { id, state, jobId, contentType } = await readRecording(call);
	const what = `Recording ${id}`;
	if (state === "live") {
		const how = jobId === null ? "wait until its upload ends" : `wait for it with "tapedeck jobs wait ${jobId}"`;
		throw new CommandError("live", `${what} is not complete yet; ${how}.`);
	}
	const file = `recording-${id}.${contentType === "video/webm" ? "webm" : "mp4"}`;
	const target = await targetOf(call.values.output, file);
	const isStream = target === "-" || (await isDevice(target));
	if (target === "-" && call.values.json === true)
		throw usageError("--json: Standard output is the video; leave --json out, or name a file.");
	if (target === "-" && process.stdout.isTTY)
		throw usageError("--output: Standard output is this terminal; name a file, or pipe the video to a program.");
	const progress = createProgress();
	let [arrived, isBroken] = [0, false];
	const transfer = {
		path: `/v1/recordings/${id}/video`,
		what,
		onProgress(bytes: number, total: number) {
			if (bytes > arrived) isBroken = false;
			arrived = bytes;
			progress.show(bytes, total);
		},
		onBreak() {
			progress.clear();
			if (!isBroken) call.remark("The connection broke; continuing where it ended.");
			isBroken = true;
		},
	};
	try {
		const bytes = isStream
			? await streamTo(call, target, transfer)
			: await download(call.client, { ...transfer, target });
		progress.clear();
		if (target !== "-") call.print({ recordingId: id, file: target, bytes }, `${target}, ${formatSize(bytes)}`);
	} catch (error) {
		progress.clear();
		// The reader, such as head, has enough.
		if ((error as NodeJS.ErrnoException).code === "EPIPE") return EXIT.done;
		if (arrived > 0 && !isStream) call.remark("The received part is kept: the same command continues there.");
		throw error;
	}
	return EXIT.done;
}

/** Whether it is there and cannot be renamed over: a pipe, or a device such as /dev/stdout. */
async function isDevice(target: string): Promise<boolean> {
	const found = await stat(target).catch(() => null);
	return found !== null && !found.isFile() && !found.isDirectory();
}

/** @param target `-` for standard output, or a pipe or device. @returns the size. */
async function streamTo({ client }: ApiCall, target: string, transfer: Parameters<typeof stream>[1]): Promise<number> {
	const output = target === "-" ? process.stdout : createWriteStream(target);
	const failed = new Promise<never>((_resolve, reject) => output.once("error", reject));
	const write = (bytes: Uint8Array) =>
		Promise.race([failed, new Promise<void>((resolve) => output.write(bytes, () => resolve()))]);
	const bytes = await Promise.race([failed, stream(client, transfer, write)]).catch((error) => {
		if (error instanceof CommandError || error instanceof TapedeckError || error.code === "EPIPE") throw error;
		throw new CommandError(
			"not_written",
			`${target === "-" ? "Standard output" : target} can't be written: ${error.message}.`,
		);
	});
	if (output !== process.stdout) await new Promise<void>((resolve) => output.end(resolve));
	return bytes;
}

/** @param output a file, a folder for a file of this name, or `-`. */
export async function targetOf(output: ApiCall["values"][string], name: string): Promise<string> {
	if (typeof output !== "string") return name;
	if (output === "-") return output;
	if (output === "") throw usageError("--output: Name a file or a folder.");
	const isFolder = output.endsWith("/") || (await stat(output).catch(() => null))?.isDirectory() === true;
	return isFolder ? join(output, name) : output;
}

/** Reads `75`, `75.5`, `1:15` or `1:02:03.5`. @returns seconds. */
export function momentOf(text: ApiCall["values"][string], flag: string): number | undefined {
	if (text === undefined) return undefined;
	const [, hours = "0", minutes = "0", seconds] =
		/^(?:(?:(\d{1,5}):)?(\d{1,5}):)?(\d{1,9}(?:\.\d{1,3})?)$/.exec(String(text)) ?? [];
	if (seconds === undefined) throw usageError(`${flag}: Use a time in the video, such as 75, 75.5 or 1:15.`);
	return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

const SHARE_SECONDS = 7 * 86_400;

async function runShare(call: ApiCall): Promise<ExitStatus> {
	const { expires } = call.values;
	const seconds = expires === undefined ? SHARE_SECONDS : secondsOf(String(expires));
	if (seconds === null && expires !== "never")
		throw usageError("--expires: Use a length such as 12h or 7d, which is the longest, or never.");
	const shown = shownOf(call.values);
	const id = await recordingIdOf(call);
	const expiresAt = seconds === null ? null : new Date(Date.now() + seconds * 1_000).toISOString();
	const link = await about(`Recording ${id}`, call.client.recordings.share(id, { expiresAt, ...shown }));
	call.print(link, link.url);
	const until = link.expiresAt === null ? "until it is deleted" : `until ${localTime(link.expiresAt)}`;
	if (call.values.json !== true) call.remark(`Anybody with this link can ${WHAT_LINKS_DO[link.opens]} ${until}.`);
	return EXIT.done;
}

const WHAT_LINKS_DO = { page: "watch the video", clip: "watch this clip", frame: "see this frame" } as const;
const PARTS = ["tests", "steps", "tracks"] as const;

/** The target of the link; the dashboard says which flags cannot be combined. */
function shownOf(values: ApiCall["values"]): Omit<CreateShareLink, "expiresAt"> {
	const opens = values.gif === true || values.clip === true ? "clip" : values.frame === true ? "frame" : "page";
	const include = values.include === undefined ? [] : String(values.include).split(",");
	if (!include.every((part) => PARTS.some((known) => known === part)))
		throw usageError(`--include: Use ${PARTS.join(", ")}, separated by commas.`);
	const given = {
		at: momentOf(values.at, "--at"),
		from: momentOf(values.from, "--from"),
		to: momentOf(values.to, "--to"),
		include: include.length === 0 ? undefined : (include as (typeof PARTS)[number][]),
		format: values.gif === true ? ("gif" as const) : undefined,
	};
	return { opens, ...given };
}

async function runDelete(call: ApiCall): Promise<ExitStatus> {
	const id = await recordingIdOf(call);
	await about(`Recording ${id}`, call.client.recordings.delete(id));
	call.print({ deleted: id }, `Deleted recording ${id}.`);
	return EXIT.done;
}

async function runRestore(call: ApiCall): Promise<ExitStatus> {
	if (call.values.all === true) return restoreAll(call);
	const filter = ["after", "before", "reason", "build"].find((flag) => call.values[flag] !== undefined);
	if (filter !== undefined) throw usageError(`--${filter}: Add --all.`);
	const id = idOf(call.positionals[0], "recording");
	const restored = call.client.request<Recording>("POST", `/v1/deleted-recordings/${id}/restore`);
	const recording = await about(`Recording ${id}`, restored);
	call.print(recording, `Restored recording ${id}.${sparedUntil(recording.keptUntil)}`);
	return EXIT.done;
}

/** Calls again until the trash has no more that match: each call restores a part. */
async function restoreAll(call: ApiCall): Promise<ExitStatus> {
	if (call.positionals.length > 0) throw usageError("Name either a recording or --all.");
	const { after, before, reason, build } = call.values;
	const filters = { deletedAfter: after, deletedBefore: before, build, reason: reason && String(reason).split(",") };
	const body = Object.values(filters).every((value) => value === undefined) ? { all: true } : filters;
	let restored = 0;
	for (;;) {
		const step = await call.client.request<RestoredRecordings>("POST", "/v1/deleted-recordings/restore", { body });
		restored += step.restored;
		// One that restored nothing would repeat for ever.
		if (step.hasMore && step.restored > 0) {
			call.remark(`Restored ${restored} recordings so far.`);
			continue;
		}
		const what = `Restored ${restored} ${restored === 1 ? "recording" : "recordings"}.`;
		const { keptUntil } = step;
		call.print(
			{ restored, keptUntil },
			restored === 0 ? "Nothing in the trash matches." : what + sparedUntil(keptUntil),
		);
		return EXIT.done;
	}
}

const sparedUntil = (keptUntil: string | null): string =>
	keptUntil === null ? "" : ` Retention spares it until ${localTime(keptUntil)}.`;

async function runUnpin(call: ApiCall): Promise<ExitStatus> {
	const isAll = call.values.all === true;
	if (isAll === call.positionals.length > 0) throw usageError("Name recordings by their ids, or --all.");
	const body = isAll ? { all: true } : { recordingIds: call.positionals.map((word) => idOf(word, "recording")) };
	const recordingIds: number[] = [];
	for (;;) {
		const step = await call.client.request<UnpinnedRecordings>("POST", "/v1/recordings/unpin", { body });
		recordingIds.push(...step.recordingIds);
		if (isAll && step.hasMore && step.recordingIds.length > 0) continue;
		const { length } = recordingIds;
		call.print({ recordingIds }, `Unpinned ${length} ${length === 1 ? "recording" : "recordings"}.`);
		return EXIT.done;
	}
}

const list = apiCommand({
	usage: "tapedeck recordings list [--query <search>] [--limit <count>]",
	summary: "list recordings, newest first; with --query, those that match",
	about: "Lists recordings, newest first.",
	options: LIST_OPTIONS,
	run: runList,
});

const JOB_OPTION = option("--job <id>", "instead of the recording's id: that of its job");

const get = apiCommand({
	usage: "tapedeck recordings get [<recording id> | --job <id>]",
	summary: "show a recording",
	about: "Shows a recording.",
	options: [JOB_OPTION],
	maxArguments: 1,
	run: runGet,
});

const downloadCommand = apiCommand({
	usage: "tapedeck recordings download [<recording id> | --job <id>] [--output <file>]",
	summary: "download a video",
	about: `Downloads a video. The file appears when it is whole. After a broken connection, the download continues where it
ended, and so does the same command after it was interrupted.`,
	options: [
		JOB_OPTION,
		option(
			"-o, --output <file>",
			"where to, a file or a folder, or - for standard output; default recording-<id>.mp4 here",
		),
	],
	maxArguments: 1,
	run: runDownload,
});

const share = apiCommand({
	usage: "tapedeck recordings share [<recording id> | --job <id>] [--from 1:15 --to 1:30] [--clip] [--expires 7d]",
	summary: "create a link that plays a video without signing in",
	about: `Creates a link that works without signing in, and prints it: to a page that plays the whole video, or with --clip or
--frame to nothing but one clip or one frame of it.`,
	options: [
		JOB_OPTION,
		option("--at <time>", "where the page opens, or the moment of the frame, such as 75 or 1:15"),
		option("--from <time>", "where the stretch begins that the page repeats, or that the clip has"),
		option("--to <time>", "where it ends"),
		option("--include <parts>", "what else the page shows: tests, steps or tracks, separated by commas"),
		option("--clip", "only the clip from --from to --to, as MP4"),
		option("--gif", "the same as a GIF"),
		option("--frame", "only the frame at --at"),
		option("--expires <length>", "how long it works, such as 12h, or never; default 7d"),
	],
	maxArguments: 1,
	run: runShare,
});

const remove = apiCommand({
	usage: "tapedeck recordings delete [<recording id> | --job <id>]",
	summary: "delete a recording",
	about: "Deletes a recording. It stays in the trash for a while, from which restore brings it back.",
	options: [JOB_OPTION],
	maxArguments: 1,
	run: runDelete,
});

const restore = apiCommand({
	usage:
		"tapedeck recordings restore [<id> | --all [--after <time>] [--before <time>] [--reason <reasons>] [--build <build>]]",
	summary: "restore deleted recordings",
	about: `Restores a recording that was deleted, while it is in the trash, or with --all every one that matches. Retention spares
them for 7 days: until then, change the policy that deleted them, or pin what is to stay.`,
	options: [
		option("--all", "all in the trash that match the flags below"),
		option("--after <time>", "those that were deleted after this time, such as 2026-11-21T01:12:00Z"),
		option("--before <time>", "those that were deleted before this time"),
		option(
			"--reason <reasons>",
			"those that were deleted for one of these: request, age, size, disk; separated by commas",
		),
		option("--build <build>", "those with this label build"),
	],
	maxArguments: 1,
	run: runRestore,
});

const unpin = apiCommand({
	usage: "tapedeck recordings unpin [<id>… | --all]",
	summary: "unpin recordings, so that retention may delete them",
	about: "Unpins recordings, so that retention may delete them again.",
	options: [option("--all", "all that are pinned")],
	maxArguments: 200,
	run: runUnpin,
});

export const command = apiCommands(
	"recordings",
	"Recordings of the dashboard: the videos of jobs, and uploaded ones.",
	{
		list,
		get,
		download: downloadCommand,
		share,
		delete: remove,
		restore,
		unpin,
	},
);
