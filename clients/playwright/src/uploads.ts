/** Sends the files of attempts in the background, two at a time. No test waits for them. */
import { openAsBlob } from "node:fs";
import { access, open } from "node:fs/promises";
import { setImmediate as yieldToEvents } from "node:timers/promises";
import type { SecretMask, Tapedeck } from "@tapedeck/client";
import type { AttemptFile } from "./attempt-files.ts";
import type { StoredResult } from "./delivery.ts";
import { sentence } from "./run.ts";
import { labelOf } from "./text.ts";

const AT_ONCE = 2;
/** A larger text is not sent, because it would have to be searched for secrets as a whole. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** The length of text that is searched for secrets before events of tests are handled. */
const PIECE_CHARACTERS = 256 * 1024;
/** Files that are named when they were not sent. */
const MAX_NAMED = 5;

const TEXT = /^text\/|^application\/(?:json|xml|x-ndjson|yaml)\b|\+(?:json|xml)\b/i;

interface Waiting {
	file: AttemptFile;
	/** The key of its result. */
	key: string;
	/** The test, with its attempt. */
	title: string;
	isUrgent: boolean;
}

export class Uploads {
	readonly #client: Tapedeck;
	readonly #mask: SecretMask;
	readonly #whenStored: (key: string) => Promise<StoredResult | null>;
	readonly #ended = new AbortController();
	readonly #waiting: Waiting[] = [];
	readonly #sending = new Set<Promise<void>>();
	/** Names of the files that were not sent. */
	readonly #missing: string[] = [];
	#problem: unknown = null;

	/** @param whenStored waits until the dashboard has a result; null when it will not have it. */
	constructor(client: Tapedeck, mask: SecretMask, whenStored: (key: string) => Promise<StoredResult | null>) {
		this.#client = client;
		this.#mask = mask;
		this.#whenStored = whenStored;
	}

	/**
	 * @param key of the result that gets them.
	 * @param title names the attempt in a warning, and its video.
	 * @param isUrgent whether they are sent before those of others, as for an attempt that failed.
	 */
	add(key: string, title: string, isUrgent: boolean, files: readonly AttemptFile[]): void {
		for (const file of files) this.#waiting.push({ file, key, title, isUrgent });
		this.#sendNext();
	}

	/** Waits until all are sent, or the time is over. @returns a sentence about those that were not; null if there are none. */
	async finish(maxMs: number): Promise<string | null> {
		const late = new Error(`there was no time left after ${maxMs / 1_000} s`);
		const timer = setTimeout(() => this.#ended.abort(late), maxMs);
		while (this.#sending.size > 0) await Promise.race(this.#sending);
		clearTimeout(timer);
		if (this.#missing.length === 0) return null;
		const named = this.#missing.slice(0, MAX_NAMED).join(", ");
		const more = this.#missing.length > MAX_NAMED ? ` and ${this.#missing.length - MAX_NAMED} more files` : "";
		return `Not uploaded: ${named}${more}: ${sentence(this.#problem)}`;
	}

	#sendNext(): void {
		while (this.#sending.size < AT_ONCE && this.#waiting.length > 0) {
			const urgent = this.#waiting.findIndex(({ isUrgent }) => isUrgent);
			for (const next of this.#waiting.splice(Math.max(0, urgent), 1)) {
				const sending = this.#send(next)
					.catch((cause) => {
						this.#problem ??= cause;
						this.#missing.push(this.#mask.applyToName(`${next.file.name} of ${next.title}`));
					})
					.finally(() => {
						this.#sending.delete(sending);
						this.#sendNext();
					});
				this.#sending.add(sending);
			}
		}
	}

	async #send({ file, key, title }: Waiting): Promise<void> {
		const { signal } = this.#ended;
		signal.throwIfAborted();
		const result = await this.#whenStored(key);
		if (result === null) throw new Error("the dashboard does not have its result");
		const blob = await this.#read(file);
		if (blob === null) return;
		if (file.videoStart === null) {
			const attachment = { name: this.#mask.applyToName(file.name), content: blob };
			await this.#client.tests.addAttachment(result.id, attachment, { signal });
			return;
		}
		const video = {
			name: labelOf(this.#mask.applyToName(title)),
			testResultId: result.id,
			startedAt: this.#client.dashboardTime(file.videoStart).toISOString(),
		};
		await this.#client.recordings.upload(blob, video, { signal });
	}

	/** @returns null for a file that is gone, as those of passed tests are with Playwright's `preserveOutput`. */
	async #read({ name, contentType: type, path, body }: AttemptFile): Promise<Blob | null> {
		if (TEXT.test(type)) {
			const text = body ?? (path === undefined ? null : await readStart(path));
			if (text === null) return null;
			if (text.length > MAX_TEXT_BYTES)
				throw new Error(`${name} has more than ${MAX_TEXT_BYTES / 2 ** 20} MiB of text`);
			return new Blob([await this.#masked(text.toString("utf8"))], { type });
		}
		if (body !== undefined) return new Blob([new Uint8Array(body)], { type });
		if (path === undefined || (await access(path).then(() => true, falseIfGone)) === false) return null;
		return openAsBlob(path, { type });
	}

	async #masked(text: string): Promise<string> {
		const masked: string[] = [];
		let piece = 0;
		for (const line of text.split("\n")) {
			masked.push(this.#mask.apply(line));
			piece += line.length;
			if (piece < PIECE_CHARACTERS) continue;
			piece = 0;
			await yieldToEvents();
		}
		return masked.join("\n");
	}
}

/** Reads as much of a file as shows whether it is too large; null if it is gone. */
async function readStart(path: string): Promise<Buffer | null> {
	const file = await open(path).catch(falseIfGone);
	if (file === false) return null;
	try {
		const { size } = await file.stat();
		const buffer = Buffer.alloc(Math.min(size, MAX_TEXT_BYTES + 1));
		const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
		return buffer.subarray(0, bytesRead);
	} finally {
		await file.close();
	}
}

function falseIfGone(error: NodeJS.ErrnoException): false {
	if (error.code === "ENOENT") return false;
	throw error;
}
