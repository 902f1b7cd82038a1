/**
 * Shows displays to those who look at the dashboard: one still picture a wish. A display that is being recorded is
 * shown by the picture that its recording has just left; any other by one short, gentle ffmpeg. Nothing here may
 * cost a recording a frame, and nothing here fails loudly: who looks asks again.
 */
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import type { RunnerConfig } from "../config/config.ts";
import type { Connection } from "../connection.ts";
import type { Displays, OpenDisplay } from "../displays/displays.ts";
import { evenSize } from "./ffmpeg.ts";
import { pause } from "../base/wait.ts";

const WIDTH = 480;
/** A recording leaves a picture every two seconds. */
const POSTER_FRESH_MS = 2_500;
/** Between two pictures of the same display, whatever the dashboard asks. */
const PACE_MS = 500;
/** So many are taken at once, of however many displays. */
const AT_ONCE = 2;
const GRAB_SECONDS = 3;
const SEND_TIMEOUT_MS = 4_000;
const MAX_BYTES = 256 * 1024;

export interface PictureTools {
	config: Pick<RunnerConfig, "ffmpeg" | "childEnv">;
	displays: Displays;
	connection: Connection;
	closed: AbortSignal;
	/** Files that recordings of the display replace with every picture. */
	captures(displayId: string): string[];
}

export class DisplayPictures {
	readonly #tools: PictureTools;
	readonly #waiting = new Set<string>();
	/** Displays of which a picture is being taken, sent, or was a moment ago. */
	readonly #busy = new Set<string>();
	#running = 0;

	constructor(tools: PictureTools) {
		this.#tools = tools;
	}

	/** Takes a picture of each of these displays and sends it, in its own time. Never throws. */
	show(displayIds: readonly string[]): void {
		for (const id of displayIds) this.#waiting.add(id);
		this.#next();
	}

	#next(): void {
		for (const id of this.#waiting) {
			if (this.#running >= AT_ONCE || this.#tools.closed.aborted) return;
			if (this.#busy.has(id)) continue;
			this.#waiting.delete(id);
			void this.#showOne(id);
		}
	}

	async #showOne(id: string): Promise<void> {
		this.#busy.add(id);
		this.#running += 1;
		const display = this.#tools.displays.get(id);
		const picture = display === undefined ? null : ((await this.#recorded(id)) ?? (await this.#grab(display)));
		if (picture !== null) await this.#send(id, picture);
		this.#running -= 1;
		this.#next();
		await pause(PACE_MS, this.#tools.closed);
		this.#busy.delete(id);
		this.#next();
	}

	/** The newest picture that a recording of this display has left; null when there is none of the last moments. */
	async #recorded(id: string): Promise<{ jpeg: Buffer; ageMs: number } | null> {
		const found = await Promise.all(
			this.#tools.captures(id).map(async (file) => {
				try {
					const ageMs = Date.now() - (await stat(file)).mtimeMs;
					const usable = ageMs > -POSTER_FRESH_MS && ageMs < POSTER_FRESH_MS;
					return usable ? { jpeg: await readFile(file), ageMs: Math.max(0, Math.round(ageMs)) } : null;
				} catch {
					return null; // It has not begun, or its folder went just now.
				}
			}),
		);
		return found.filter((each) => each !== null).sort((a, b) => a.ageMs - b.ageMs)[0] ?? null;
	}

	/** One frame by an ffmpeg that yields to everything else; null when it could not be had. */
	#grab(display: OpenDisplay): Promise<{ jpeg: Buffer; ageMs: number } | null> {
		const { config, closed } = this.#tools;
		const command = [
			// Ends it even when the runner is killed meanwhile.
			...["--signal=KILL", String(GRAB_SECONDS), "nice", "-n", "10", config.ffmpeg],
			...["-nostdin", "-v", "error", "-threads", "1", "-f", "x11grab", "-draw_mouse", "1", "-framerate", "30"],
			...["-video_size", `${evenSize(display.width)}x${evenSize(display.height)}`, "-i", display.xName],
			...["-frames:v", "1", "-an", "-vf", `scale=min(${WIDTH}\\,iw):-2:flags=fast_bilinear`],
			...["-c:v", "mjpeg", "-threads", "1", "-pix_fmt", "yuvj420p", "-q:v", "5", "-f", "image2pipe", "pipe:1"],
		];
		return new Promise((resolve) => {
			execFile(
				"timeout",
				command,
				{ encoding: "buffer", env: config.childEnv, maxBuffer: MAX_BYTES, signal: closed },
				(error, jpeg) => resolve(error === null && jpeg.length > 0 ? { jpeg, ageMs: 0 } : null),
			);
		});
	}

	async #send(id: string, { jpeg, ageMs }: { jpeg: Buffer; ageMs: number }): Promise<void> {
		const { connection, closed } = this.#tools;
		if (connection.client.sessionId === null) return;
		await connection.client
			.send({
				method: "PUT",
				path: `/v1/runner/displays/${id.slice(1)}/picture?ageMs=${ageMs}`,
				headers: { "content-type": "image/jpeg" },
				body: jpeg,
				timeoutMs: SEND_TIMEOUT_MS,
				signal: closed,
			})
			.catch(() => undefined);
	}
}
