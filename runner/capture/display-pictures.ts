/**
 * Sends still pictures of displays when the dashboard requests them. A display that is being recorded is shown by the
 * latest still of its recording, unless another width is requested; any other display by a short, low-priority ffmpeg.
 * This must never cost a recording a frame.
 * Failures are silent, because the dashboard requests the next picture anyway.
 */
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { MAX_PICTURE_BYTES, MAX_WIDE_PICTURE_BYTES, PICTURE_WIDTH } from "@tapedeck/contract/runner.ts";
import type { WidePicture } from "@tapedeck/contract/runner-protocol.ts";
import { pause } from "../base/wait.ts";
import type { RunnerConfig } from "../config/config.ts";
import type { Connection } from "../dashboard/connection.ts";
import type { Displays, OpenDisplay } from "../displays/displays.ts";
import { evenSize } from "../video/video-format.ts";

/** A recording writes a still every two seconds. */
const POSTER_FRESH_MS = 2_500;
/** Minimum interval between two pictures of one display. */
const MIN_INTERVAL_MS = 500;
/** Maximum number of concurrent pictures. */
const MAX_CONCURRENT = 2;
const GRAB_SECONDS = 3;
const SEND_TIMEOUT_MS = 4_000;
/** ffmpeg's quality, lower is better: text stays readable in a picture that is requested in its own width. */
const QUALITY = { usual: 5, wide: 3 };

export interface PictureTools {
	config: Pick<RunnerConfig, "ffmpeg" | "childEnv">;
	displays: Displays;
	connection: Connection;
	closed: AbortSignal;
	/** The files that recordings of the display replace with every still. */
	captures(displayId: string): string[];
	/** Whether nothing of the display may be shown. */
	isPrivate(displayId: string): boolean;
}

export class DisplayPictures {
	readonly #tools: PictureTools;
	/** Requested pictures by display and width. */
	readonly #waiting = new Map<string, WidePicture>();
	/** Cancels the picture that is being taken, by display. */
	readonly #grabs = new Map<string, AbortController>();
	/** Displays whose picture is in progress, or was taken less than MIN_INTERVAL_MS ago. */
	readonly #busy = new Set<string>();
	#running = 0;

	constructor(tools: PictureTools) {
		this.#tools = tools;
	}

	/** Takes and sends a picture of each of these displays in the background. Never throws. */
	show(wanted: readonly WidePicture[]): void {
		for (const one of wanted) this.#waiting.set(`${one.displayId} ${one.width}`, one);
		this.#next();
	}

	/** The display is private from now on: a picture that is being taken is not sent. */
	drop(displayId: string): void {
		this.#grabs.get(displayId)?.abort();
	}

	#next(): void {
		for (const [key, wanted] of this.#waiting) {
			if (this.#running >= MAX_CONCURRENT || this.#tools.closed.aborted) return;
			if (this.#busy.has(wanted.displayId)) continue;
			this.#waiting.delete(key);
			void this.#showOne(wanted);
		}
	}

	async #showOne(wanted: WidePicture): Promise<void> {
		const { displayId } = wanted;
		this.#busy.add(displayId);
		this.#running += 1;
		const picture = await this.#take(wanted);
		if (picture !== null) await this.#send(wanted, picture);
		this.#running -= 1;
		this.#next();
		await pause(MIN_INTERVAL_MS, this.#tools.closed);
		this.#busy.delete(displayId);
		this.#next();
	}

	/** @returns null when it fails, and when the display is private, or becomes so meanwhile. */
	async #take({ displayId: id, width }: WidePicture): Promise<{ jpeg: Buffer; ageMs: number } | null> {
		const display = this.#tools.displays.get(id);
		if (display === undefined || this.#tools.isPrivate(id)) return null;
		const dropped = new AbortController();
		this.#grabs.set(id, dropped);
		const recorded = width === PICTURE_WIDTH ? await this.#recorded(id) : null;
		const picture = recorded ?? (await this.#grab(display, width, dropped.signal));
		this.#grabs.delete(id);
		return dropped.signal.aborted ? null : picture;
	}

	/** The latest still of a recording of this display; null when there is no fresh one. */
	async #recorded(id: string): Promise<{ jpeg: Buffer; ageMs: number } | null> {
		const found = await Promise.all(
			this.#tools.captures(id).map(async (file) => {
				try {
					const ageMs = Date.now() - (await stat(file)).mtimeMs;
					const usable = ageMs > -POSTER_FRESH_MS && ageMs < POSTER_FRESH_MS;
					return usable ? { jpeg: await readFile(file), ageMs: Math.max(0, Math.round(ageMs)) } : null;
				} catch {
					return null; // No still yet, or the recording was just deleted.
				}
			}),
		);
		return found.filter((each) => each !== null).sort((a, b) => a.ageMs - b.ageMs)[0] ?? null;
	}

	/** Captures one frame with a low-priority ffmpeg; null when it fails. */
	#grab(display: OpenDisplay, asked: number, dropped: AbortSignal): Promise<{ jpeg: Buffer; ageMs: number } | null> {
		const { config, closed } = this.#tools;
		const { width, height } = evenSize(display);
		const isWide = asked !== PICTURE_WIDTH;
		const quality = String(isWide ? QUALITY.wide : QUALITY.usual);
		const command = [
			// `timeout` ends ffmpeg even if the runner is killed in the meantime.
			...["--signal=KILL", String(GRAB_SECONDS), "nice", "-n", "10", config.ffmpeg],
			...["-nostdin", "-v", "error", "-threads", "1", "-f", "x11grab", "-draw_mouse", "1", "-framerate", "30"],
			...["-video_size", `${width}x${height}`, "-i", display.xName],
			...["-frames:v", "1", "-an", "-vf", `scale=min(${asked}\\,iw):-2:flags=fast_bilinear`],
			...["-c:v", "mjpeg", "-threads", "1", "-pix_fmt", "yuvj420p", "-q:v", quality, "-f", "image2pipe", "pipe:1"],
		];
		return new Promise((resolve) => {
			execFile(
				"timeout",
				command,
				{
					encoding: "buffer",
					env: config.childEnv,
					maxBuffer: isWide ? MAX_WIDE_PICTURE_BYTES : MAX_PICTURE_BYTES,
					signal: AbortSignal.any([closed, dropped]),
				},
				(error, jpeg) => resolve(error === null && jpeg.length > 0 ? { jpeg, ageMs: 0 } : null),
			);
		});
	}

	async #send({ displayId, width }: WidePicture, { jpeg, ageMs }: { jpeg: Buffer; ageMs: number }): Promise<void> {
		const { connection, closed } = this.#tools;
		if (connection.client.sessionId === null) return;
		const size = width === PICTURE_WIDTH ? "" : `&width=${width}`;
		await connection.client
			.send({
				method: "PUT",
				path: `/v1/runner/displays/${displayId.slice(1)}/picture?ageMs=${ageMs}${size}`,
				headers: { "content-type": "image/jpeg" },
				body: jpeg,
				timeoutMs: SEND_TIMEOUT_MS,
				signal: closed,
			})
			.catch(() => undefined);
	}
}
