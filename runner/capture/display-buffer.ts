/**
 * The last minutes of one display, on the disk. Consecutive captures overlap, so that nothing is missing between them.
 * The oldest one is deleted once all of it is older than the buffer's length.
 */
import { copyFile, mkdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { VideoFormat } from "@tapedeck/contract/video-options.ts";
import { bootMs, clockSetBy, isOfThisBoot } from "../base/clock.ts";
import { messageOf } from "../base/fault.ts";
import type { RunnerLog } from "../base/log.ts";
import { pause } from "../base/wait.ts";
import { captureFiles } from "../spool/capture-files.ts";
import type { Part } from "../spool/spool.ts";
import { capturedSeconds, copyCapture } from "../video/copy-capture.ts";
import { momentOf } from "../video/timeline.ts";
import { beginCapture, type CaptureFolder, type CaptureTools } from "./begin-capture.ts";
import { MAX_PART_SECONDS, RESERVED_BYTES } from "./buffer-space.ts";
import { nextCaptureEvent } from "./capture-event.ts";
import { type Capture, SAMPLE_HEIGHT, SAMPLE_WIDTH } from "./ffmpeg.ts";
import { areaOf } from "./recorded-area.ts";

/** Maximum time by which a recording begins early: players begin with a key frame. */
const KEY_FRAME_SECONDS = 2;
const DISPLAY_WAIT_MS = 1_000;
const STOP_GRACE_MS = 3_000;
const RETRY_MS = 1_000;
/** After a recording has taken parts, nothing is deleted and no part ends while its own capture begins. */
const HANDOVER_MS = 20_000;
/** Maximum time until a captured frame is in the file. */
const WRITTEN_MS = 3_000;
const WRITTEN_POLL_MS = 100;

/** Shared by the buffers of all displays. */
export interface BufferTools extends CaptureTools {
	log: RunnerLog;
	/** Length of the buffer, in seconds. */
	seconds: number;
	/** Returns the format in which it is encoded. */
	format(): VideoFormat;
	/** Whether nothing of a display may be recorded. */
	isPrivate(displayId: string): boolean;
}

/** The parts with which a recording begins. Their files are in its folder. */
export interface TakenParts {
	parts: Part[];
	/**
	 * Copies the last part again, with the frames captured since. @param moment the end of the needed time, in ms since
	 * boot.
	 */
	copyUntil(moment: number): Promise<void>;
}

export class DisplayBuffer {
	/** Resolves when its captures have ended and their files are deleted. */
	readonly ended: Promise<void>;
	readonly #tools: BufferTools;
	readonly #captured: CaptureFolder & { folder: string };
	readonly #partSeconds: number;
	readonly #stop = new AbortController();
	/** Aborts the capture that begins; null while none does. */
	#beginning: AbortController | null = null;
	/** Running captures: two while one follows another. */
	readonly #running = new Set<Capture>();
	/** Why nothing can be captured, as it was logged last. */
	#problem: string | null = null;
	/** The end of the time in which a recording may still copy these parts, by performance.now(). */
	#heldUntil = 0;

	/** Begins to record. @param folder for its files, which must not exist. */
	constructor(tools: BufferTools, displayId: string, folder: string) {
		this.#tools = tools;
		this.#partSeconds = Math.min(MAX_PART_SECONDS, tools.seconds / 2);
		const manifest = { displayId, video: tools.format(), parts: [], privacy: { version: 0, on: false } };
		// A buffer does not outlive the runner, so only the captures are saved.
		this.#captured = { folder, manifest, saveError: null, update: async (change) => change(manifest) };
		this.ended = this.#run().catch((error) => tools.log.warn(`The buffer of ${displayId} has ended: ${error}.`));
	}

	get format(): VideoFormat {
		return this.#captured.manifest.video;
	}

	/** Ends the buffer and deletes its data. */
	close(): Promise<void> {
		this.#stop.abort();
		return this.ended;
	}

	/** The display is private from now on: no later frame of it is kept. */
	hide(): void {
		this.#beginning?.abort();
		for (const capture of this.#running) capture.kill();
	}

	/**
	 * Copies the frames since a moment into the folder of a recording, as its first parts.
	 * @param since in ms since boot. The first frame is up to KEY_FRAME_SECONDS earlier, or later if the buffer begins
	 *   later.
	 */
	async copyTo(folder: string, since: number): Promise<TakenParts> {
		this.#heldUntil = performance.now() + HANDOVER_MS;
		// The part that begins ends the one before it, and so is needed too.
		while (this.#beginning !== null && this.#running.size > 0) await pause(WRITTEN_POLL_MS);
		const kept = this.#captured.manifest.parts.filter(isUsable);
		const from = Math.max(
			0,
			kept.findLastIndex((part) => momentOf(part) <= since),
		);
		const parts: Part[] = [];
		let copyLast = async () => {};
		for (const source of kept.slice(from)) {
			const number = parts.length + 1;
			const wanted = parts.length === 0 ? Math.max(0, (since - momentOf(source)) / 1_000) : 0;
			const copy = () => this.#copyPart(source, folder, number, wanted);
			const deadline = performance.now() + WRITTEN_MS;
			let begin = await copy();
			// The last part may have begun a moment ago.
			for (; begin === null && performance.now() < deadline; begin = await copy()) await pause(WRITTEN_POLL_MS);
			if (begin === null) continue;
			parts.push({ ...source, part: number, firstFrameAt: (source.firstFrameAt ?? 0) + begin * 1_000, reported: true });
			copyLast = async () => void (await copy());
		}
		this.#place(parts);
		const last = kept.at(-1);
		const copyUntil = async (moment: number) => {
			if (last === undefined) return;
			await this.#written(last, moment);
			await copyLast();
		};
		return { parts, copyUntil };
	}

	/** Sets where the parts are on the timeline that begins with the first. */
	#place(parts: Part[]): void {
		const [first] = parts;
		if (first === undefined) return;
		const { framesPerSecond } = this.format;
		for (const [index, part] of parts.entries()) {
			part.startFrames = Math.round(((momentOf(part) - momentOf(first)) / 1_000) * framesPerSecond);
			const before = parts[index - 1];
			if (before !== undefined) before.endFrames = part.startFrames - before.startFrames;
		}
	}

	/** @returns where in the source the copy begins, in seconds; null if there is nothing yet. */
	async #copyPart(source: Part, folder: string, number: number, seconds: number): Promise<number | null> {
		const [from, to] = [this.#filesOf(source), captureFiles(folder, number)];
		const begin = await copyCapture(from.video, to.video, seconds);
		if (begin === null) return null;
		const samples = await readFile(from.samples).catch(() => Buffer.alloc(0));
		await writeFile(to.samples, samples.subarray(Math.floor(begin) * SAMPLE_WIDTH * SAMPLE_HEIGHT), { mode: 0o600 });
		if (number === 1) await copyFile(from.poster, to.poster).catch(() => undefined);
		return begin;
	}

	/** Waits until the frames of a part up to a moment are in its file, or can no longer be written. */
	async #written(part: Part, moment: number): Promise<void> {
		const wanted = (moment - momentOf(part)) / 1_000;
		const deadline = performance.now() + WRITTEN_MS;
		while (performance.now() < deadline && part === this.#captured.manifest.parts.at(-1) && this.#running.size > 0) {
			if ((await capturedSeconds(this.#filesOf(part).video)) >= wanted) return;
			await pause(WRITTEN_POLL_MS);
		}
	}

	get #isHeld(): boolean {
		return performance.now() < this.#heldUntil;
	}

	#filesOf({ part }: Pick<Part, "part">) {
		return captureFiles(this.#captured.folder, part);
	}

	async #run(): Promise<void> {
		const { folder } = this.#captured;
		await mkdir(folder, { recursive: true, mode: 0o700 });
		try {
			let before: Capture | null = null;
			while (!this.#stop.signal.aborted) before = await this.#recordPart(before);
		} finally {
			await Promise.all([...this.#running].map((capture) => this.#end(capture)));
			await rm(folder, { recursive: true, force: true });
		}
	}

	async #end(capture: Capture): Promise<void> {
		await capture.stop(STOP_GRACE_MS);
		this.#running.delete(capture);
	}

	/**
	 * Records the next part until its end.
	 * @param before the capture of the previous part, which continues until this one has its first frame.
	 * @returns its capture if it still runs; null if it has ended.
	 */
	async #recordPart(before: Capture | null): Promise<Capture | null> {
		const { manifest } = this.#captured;
		const number = (manifest.parts.at(-1)?.part ?? 0) + 1;
		const begun = (await this.#isDiskFull()) ? null : await this.#begin(number);
		if (before !== null) await this.#end(before);
		const part = manifest.parts.at(-1);
		if (begun === null || part?.part !== number) {
			await pause(RETRY_MS, this.#stop.signal);
			return null;
		}
		part.firstFrameAt = begun.firstFrameAt;
		return this.#watch(part, begun.capture);
	}

	/** @returns null if there is no first frame; then nothing is left of the attempt. */
	async #begin(number: number): Promise<{ capture: Capture; firstFrameAt: number } | null> {
		const [{ manifest }, { log, format, isPrivate }] = [this.#captured, this.#tools];
		const { displayId } = manifest;
		const video = format();
		if (!isDeepStrictEqual(video, manifest.video)) await this.#delete(manifest.parts);
		manifest.video = video;
		const beginning = new AbortController();
		this.#beginning = beginning;
		// Read after the line before: a caller that makes the display private afterwards ends this attempt.
		manifest.privacy = { version: 0, on: isPrivate(displayId) };
		const begun = await beginCapture(this.#tools, this.#captured, {
			part: number,
			frames: null,
			window: null,
			displayWaitMs: DISPLAY_WAIT_MS,
			keyFrameSeconds: KEY_FRAME_SECONDS,
			stop: AbortSignal.any([this.#stop.signal, beginning.signal]),
		});
		this.#beginning = null;
		if (begun !== null && "capture" in begun && !beginning.signal.aborted) {
			this.#running.add(begun.capture);
			this.#problem = null;
			return begun;
		}
		if (begun !== null && "capture" in begun) begun.capture.kill();
		const problem = begun !== null && "fault" in begun ? messageOf(begun.fault) : null;
		if (problem !== null && problem !== this.#problem) log.warn(`The buffer of ${displayId} waits: ${problem}`);
		this.#problem = problem;
		manifest.parts = manifest.parts.filter(({ part }) => part !== number);
		await this.#deleteFiles({ part: number });
		return null;
	}

	/** @returns the capture if the next one has to follow it, null once it has ended. */
	async #watch(part: Part, capture: Capture): Promise<Capture | null> {
		const { displays, isPrivate } = this.#tools;
		const { displayId, video } = this.#captured.manifest;
		const over = new AbortController();
		const endsAt = performance.now() + this.#partSeconds * 1_000;
		const event = await nextCaptureEvent({
			capture,
			displays,
			displayId,
			area: part,
			stop: AbortSignal.any([this.#stop.signal, over.signal]),
			areaOf: (display) => areaOf(display, video, null),
			look: async () => undefined,
			isClockSet: () => clockSetBy(part.clock) !== 0,
			isPrivacyDue: () => isPrivate(displayId) !== part.isPrivate,
			polled: () => {
				if (this.#isHeld) return;
				void this.#deleteOld();
				if (performance.now() > endsAt) over.abort();
			},
		});
		if (event === "stopped" && over.signal.aborted && !this.#stop.signal.aborted) return capture;
		if (event === "stalled" || event === "clock_set") capture.kill();
		await this.#end(capture);
		// The timestamps of the last frames may be by the clock's new setting.
		if (event === "clock_set") await this.#delete(this.#captured.manifest.parts);
		if (event === "ended" && !isPrivate(displayId)) await pause(RETRY_MS, this.#stop.signal);
		return null;
	}

	/** Whether the buffer may use no more space. Its data is then deleted. */
	async #isDiskFull(): Promise<boolean> {
		const disk = await statfs(this.#captured.folder).catch(() => null);
		if (disk === null || disk.bavail * disk.bsize >= RESERVED_BYTES) return false;
		if (this.#captured.manifest.parts.length > 0) {
			const { displayId } = this.#captured.manifest;
			this.#tools.log.warn(
				`The disk is nearly full: the buffer of ${displayId} was deleted until there is more space.`,
			);
		}
		await this.#delete(this.#captured.manifest.parts);
		return true;
	}

	/** Deletes the parts that are entirely older than the buffer's length. */
	#deleteOld(): Promise<void> {
		const { parts } = this.#captured.manifest;
		const oldest = bootMs() - this.#tools.seconds * 1_000;
		const kept = parts.findLastIndex((part) => momentOf(part) <= oldest);
		return this.#delete(parts.slice(0, Math.max(0, kept)));
	}

	async #delete(old: readonly Part[]): Promise<void> {
		const { manifest } = this.#captured;
		manifest.parts = manifest.parts.filter((part) => !old.includes(part));
		for (const part of old) await this.#deleteFiles(part);
	}

	async #deleteFiles(part: Pick<Part, "part">): Promise<void> {
		const { video, samples, stderr, pid } = this.#filesOf(part);
		for (const file of [video, samples, stderr, pid]) await rm(file, { force: true });
	}
}

/** Whether a part has a first frame, and the clock that stamps it was not set. */
const isUsable = ({ firstFrameAt, clock }: Part): boolean =>
	firstFrameAt !== null && isOfThisBoot(clock) && clockSetBy(clock) === 0;
