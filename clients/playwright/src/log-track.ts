/** Output of tests as the lines of a track, without secrets. */
import type { SecretMask } from "@tapedeck/client";
import type { Track } from "./track.ts";

type Level = "info" | "error";

export class LogTrack {
	readonly #track: Track;
	readonly #mask: SecretMask;
	/** Output that has no line end yet. */
	readonly #rest = new Map<Level, string>();

	constructor(track: Track, mask: SecretMask) {
		this.#track = track;
		this.#mask = mask;
	}

	/** Adds what a test has printed just now. */
	add(chunk: string | Buffer, level: Level): void {
		const text = (this.#rest.get(level) ?? "") + chunk.toString();
		const lines = text.split("\n");
		this.#rest.set(level, lines.pop() ?? "");
		for (const line of lines) this.#addLine(line, level);
	}

	/** Adds what has no line end; nothing is printed later. */
	end(): void {
		for (const [level, rest] of this.#rest) if (rest !== "") this.#addLine(rest, level);
		this.#rest.clear();
	}

	#addLine(text: string, level: Level): void {
		this.#track.add({ at: new Date(), text: this.#mask.apply(text), level });
	}
}
