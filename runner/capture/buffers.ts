/** The buffers of a runner, one for each of its displays, and what recordings take from them (TAPEDECK_BUFFER). */
import { readdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { VideoFormat, VideoOptions } from "@tapedeck/contract/video-options.ts";
import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { bootMs } from "../base/clock.ts";
import { errorMessage, FatalError, type Fault } from "../base/fault.ts";
import { captureFiles, startedParts } from "../spool/capture-files.ts";
import type { JobOrder, JobSpool } from "../spool/spool.ts";
import { momentOf } from "../video/timeline.ts";
import { bufferSpaceFault } from "./buffer-space.ts";
import { type BufferTools, DisplayBuffer, type TakenParts } from "./display-buffer.ts";
import { Capture } from "./ffmpeg.ts";

/** Shorter than that is late frames. */
const MISSING_SECONDS = 0.2;

export class Buffers {
	readonly #tools: BufferTools | null;
	readonly #dataDir: string;
	readonly #root: string;
	readonly #buffers = new Map<string, DisplayBuffer>();
	/** Parts taken by recordings whose own capture has not begun. */
	readonly #taken = new WeakMap<JobSpool, TakenParts>();
	#closed = false;

	/** @param tools null for a runner that keeps nothing of the past. @param dataDir the runner's data directory. */
	constructor(tools: BufferTools | null, dataDir: string) {
		this.#tools = tools;
		this.#dataDir = dataDir;
		this.#root = join(dataDir, "buffer");
	}

	/** Why nothing of a display's past can be recorded; null when there is a buffer of it. */
	faultOf(displayId: string): Fault<"no_buffer"> | null {
		if (this.#buffers.has(displayId)) return null;
		if (this.#tools !== null) {
			const what = `There is no buffer of display ${displayId} yet`;
			return { code: "no_buffer", what, remedy: "try again in a moment" };
		}
		const what = "This runner keeps nothing of what displays have shown";
		return { code: "no_buffer", what, remedy: "set TAPEDECK_BUFFER for it, such as to 2m, and start it again" };
	}

	/**
	 * Removes the files of a killed runner, then keeps a buffer of each display.
	 * @throws FatalError if the disk is too small.
	 */
	async start(): Promise<void> {
		await this.#clear();
		const tools = this.#tools;
		if (tools === null || this.#closed) return;
		const { bavail, bsize } = await statfs(this.#dataDir);
		const fault = bufferSpaceFault(bavail * bsize, tools.seconds);
		if (fault !== null) throw new FatalError(fault);
		tools.log.info(`Keeping the last ${tools.seconds} s of each display.`);
		const follow = () => {
			const there = new Set(tools.displays.list().map(({ id }) => id));
			for (const id of this.#buffers.keys()) if (!there.has(id)) this.#end(id);
			for (const id of there) {
				if (this.#buffers.has(id) || this.#closed) continue;
				this.#buffers.set(id, new DisplayBuffer(tools, id, join(this.#root, `${id.slice(1)}-${Date.now()}`)));
			}
		};
		tools.displays.on("changed", follow);
		follow();
	}

	#end(displayId: string): void {
		void this.#buffers.get(displayId)?.close();
		this.#buffers.delete(displayId);
	}

	async #clear(): Promise<void> {
		for (const name of await readdir(this.#root).catch(() => [])) {
			const folder = join(this.#root, name);
			for (const part of await startedParts(folder)) (await Capture.adopt(captureFiles(folder, part)))?.kill();
		}
		await rm(this.#root, { recursive: true, force: true });
	}

	/** Ends all buffers and deletes their data. */
	async close(): Promise<void> {
		this.#closed = true;
		await Promise.all([...this.#buffers.values()].map((buffer) => buffer.close()));
	}

	/** A display is private from now on: no later frame of it is kept. */
	hide(displayId: string): void {
		this.#buffers.get(displayId)?.hide();
	}

	/**
	 * The video options for a recording that requests `asked`. All parts of a video need the same encoding, so a recording
	 * that begins in a buffer takes the buffer's options. It never shows more of the display than it requested.
	 */
	videoOf(order: Pick<JobOrder, "displayId" | "preSeconds">, asked: VideoOptions): VideoOptions {
		const buffer = order.preSeconds ? this.#buffers.get(order.displayId) : undefined;
		return buffer !== undefined && showsTheSame(buffer.format, videoFormat(asked)) ? buffer.format : asked;
	}

	/**
	 * Gives a recording without parts the last `preSeconds` of its display, as far as a buffer has them. Missing seconds
	 * are noted in the job's history. Never rejects.
	 */
	async take(spool: JobSpool): Promise<void> {
		const { preSeconds } = spool.manifest;
		if (preSeconds === 0) return;
		const calledAt = bootMs();
		const buffer = this.#buffers.get(spool.manifest.displayId);
		const refusal = this.#refusalOf(spool, buffer);
		if (buffer === undefined || refusal !== null) return this.#noteMissing(spool, 0, refusal ?? "");
		try {
			const taken = await buffer.copyTo(spool.folder, calledAt - preSeconds * 1_000);
			const [first] = taken.parts;
			if (first === undefined) return this.#noteMissing(spool, 0, "the buffer has nothing yet");
			const seconds = (calledAt - momentOf(first)) / 1_000;
			await spool.update((manifest) => {
				manifest.parts = taken.parts;
				const frames = Math.round(seconds * manifest.video.framesPerSecond);
				manifest.past = { parts: taken.parts.length, frames };
			});
			this.#taken.set(spool, taken);
			if (seconds < preSeconds - MISSING_SECONDS) await this.#noteMissing(spool, seconds, "the buffer begins then");
		} catch (error) {
			await this.#noteMissing(spool, 0, `the buffer can't be read (${errorMessage(error)})`);
		}
	}

	#refusalOf({ manifest }: JobSpool, buffer: DisplayBuffer | undefined): string | null {
		if (this.#tools === null) return "this runner keeps no buffer, see TAPEDECK_BUFFER";
		if (buffer === undefined) return `there is no buffer of ${manifest.displayId} yet`;
		if (manifest.privacy.on) return "it begins private";
		if (!showsTheSame(buffer.format, manifest.video))
			return "the buffer does not show the region or window of this recording";
		return isDeepStrictEqual(buffer.format, manifest.video) ? null : "the buffer was encoded differently";
	}

	async #noteMissing(spool: JobSpool, seconds: number, why: string): Promise<void> {
		const { preSeconds } = spool.manifest;
		const rounded = Number(seconds.toFixed(1));
		const message = `The recording begins ${rounded === 0 ? "now" : `${rounded} s ago`}, not ${preSeconds} s ago: ${why}.`;
		this.#tools?.log.info(`${spool.label}: ${message}`);
		await spool.report({ type: "note", event: "buffer_short", message, data: { preSeconds, seconds: rounded } });
	}

	/**
	 * Extends the parts that a recording has taken by the frames captured since, until its own first frame.
	 * @param moment of the first frame, in ms since boot.
	 */
	async handOver(spool: JobSpool, moment: number): Promise<void> {
		const taken = this.#taken.get(spool);
		this.#taken.delete(spool);
		// The parts that were copied before stay, and the gap is reported.
		await taken?.copyUntil(moment).catch(() => undefined);
	}
}

const showsTheSame = (buffer: VideoFormat, { region, window }: VideoFormat): boolean =>
	window === undefined && isDeepStrictEqual(buffer.region, region);
