/** Sends the files that reports name: each is attached to its result, and a video becomes the recording of it. */
import { openAsBlob } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, relative, resolve } from "node:path";
import { type Tapedeck, TapedeckError, type TestResult } from "@tapedeck/client-source/index.ts";
import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from "@tapedeck/contract/attachment-kinds.ts";
import { plainType } from "@tapedeck/contract/media-type.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { errorMessage } from "../base/fault.ts";
import type { Call } from "./command.ts";
import type { ImportedFile, ImportedTest } from "./imported-test.ts";

const AT_ONCE = 4;
/** A larger text is not sent, because it would have to be searched for secrets as a whole. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** Maximum number of files that one line names. */
const MAX_NAMED = 3;
const MAX_NAME = 200;

const TYPES: Readonly<Record<string, string>> = {
	".png": "image/png",
	".jpg": "image/jpeg",
	".jpeg": "image/jpeg",
	".gif": "image/gif",
	".webp": "image/webp",
	".webm": "video/webm",
	".mp4": "video/mp4",
	".txt": "text/plain",
	".log": "text/plain",
	".csv": "text/csv",
	".md": "text/markdown",
	".html": "text/html",
	".xml": "application/xml",
	".json": "application/json",
	".zip": "application/zip",
};
const VIDEOS = ["video/webm", "video/mp4"];
const TEXT = /^text\/|^application\/(?:json|xml|x-ndjson|yaml)$|\+(?:json|xml)$/;

/** A report, and its tests with the files that they name. */
interface NamingReport {
	file: string;
	tests: readonly ImportedTest[];
}

interface Sending {
	file: ImportedFile;
	report: string;
	result: TestResult;
}

export const countFiles = (tests: readonly ImportedTest[]): number =>
	tests.reduce((sum, { files = [] }) => sum + files.length, 0);

/**
 * Sends all files, several at a time. A file that cannot be sent is named, with the reason, and costs nothing else.
 * @param stored the results in the order of the tests.
 * @returns the number of files that were sent.
 */
export async function sendFiles(
	{ remark }: Pick<Call, "remark">,
	client: Tapedeck,
	{ reports, stored, mask }: { reports: readonly NamingReport[]; stored: readonly TestResult[]; mask: SecretMask },
): Promise<number> {
	const all = reports.flatMap(({ file, tests }) => tests.map((test) => ({ report: file, files: test.files ?? [] })));
	const waiting = all.map(({ report, files }, index): Sending[] => {
		const result = stored[index];
		return result === undefined ? [] : files.map((file) => ({ file, report, result }));
	});
	const refused = new Map<string, string[]>();
	let sent = 0;
	const next = async (): Promise<void> => {
		for (let files = waiting.shift(); files !== undefined; files = waiting.shift()) {
			// One after the other: the first video of a result is its recording.
			let hasVideo = false;
			for (const [index, sending] of files.entries()) {
				try {
					if (index >= MAX_ATTACHMENTS) throw new Error(`a test can have ${MAX_ATTACHMENTS} files`);
					hasVideo = (await send(client, sending, mask, hasVideo)) || hasVideo;
					sent += 1;
				} catch (error) {
					const reason = errorMessage(error).replace(/\.$/, "");
					refused.set(reason, [...(refused.get(reason) ?? []), sending.file.path]);
				}
			}
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, next));
	for (const [reason, paths] of refused) {
		const names = paths.slice(0, MAX_NAMED).map((path) => sanitizeName(mask.applyToName(path), MAX_NAME));
		const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
		remark(`tapedeck: Not attached: ${names.join(", ")}${more}: ${reason}.`);
	}
	return sent;
}

/** @returns whether it has become the video of its result. */
async function send(client: Tapedeck, { file, report, result }: Sending, mask: SecretMask, hasVideo: boolean) {
	const path = await pathOf(file.path, report);
	const type = typeOf(file);
	const name = mask.applyToName(nameOf(file));
	if (VIDEOS.includes(type) && !hasVideo && result.recordingId === null) {
		try {
			const video = { name: sanitizeName(mask.applyToName(result.test), MAX_NAME), testResultId: result.id };
			await client.recordings.upload(await openAsBlob(path, { type }), video);
			return true;
		} catch (error) {
			// A video that nothing can play is a file like others.
			if (!(error instanceof TapedeckError) || error.status !== 422) throw error;
		}
	}
	const { size } = await stat(path);
	if (size > MAX_ATTACHMENT_BYTES) throw new Error(`it is larger than ${MAX_ATTACHMENT_BYTES / 2 ** 20} MiB`);
	const isText = TEXT.test(type);
	if (isText && size > MAX_TEXT_BYTES) throw new Error(`it has more than ${MAX_TEXT_BYTES / 2 ** 20} MiB of text`);
	const content = isText
		? new Blob([mask.apply(await readFile(path, "utf8"))], { type })
		: await openAsBlob(path, { type });
	await client.tests.addAttachment(result.id, { name, content });
	return false;
}

/**
 * A report must not name any file of the machine. A relative path stays in the folder that it begins in: the report's, or the one
 * that the command runs in. An absolute one is in either.
 * @throws Error with a sentence without its dot.
 */
async function pathOf(written: string, report: string): Promise<string> {
	const folders = await Promise.all([dirname(resolve(report)), process.cwd()].map((folder) => realpath(folder)));
	for (const folder of isAbsolute(written) ? [""] : folders) {
		const real = await realpath(resolve(folder, written)).catch(() => null);
		if (real === null) continue;
		const allowed = folder === "" ? folders : [folder];
		if (!allowed.some((each) => isWithin(each, real)))
			throw new Error("it is outside of the report's folder and of this one");
		if (!(await stat(real)).isFile()) throw new Error("it is no file");
		return real;
	}
	throw new Error("there is no such file");
}

function isWithin(folder: string, path: string): boolean {
	const own = relative(folder, path);
	return own !== "" && !own.startsWith("..") && !isAbsolute(own);
}

function typeOf({ contentType, path }: ImportedFile): string {
	const stated = plainType(contentType);
	return stated !== "" && stated !== "application/octet-stream"
		? stated
		: (TYPES[extname(path).toLowerCase()] ?? "application/octet-stream");
}

/** Allure names a file such as `Screenshot`; the file itself has an id for a name, and an ending. */
const nameOf = ({ name, path }: ImportedFile): string => {
	if (name === null) return basename(path);
	return extname(name) === "" ? `${name}${extname(path)}` : name;
};
