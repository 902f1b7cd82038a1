/** Changes in the organization, as they happen: the server-sent events of `GET /v1/events`. */
import { chunksOf } from "./chunks.ts";
import { TapedeckError } from "./error.ts";
import type { CallOptions, Http } from "./http.ts";
import type { Job, Recording, Runner, Storage } from "./openapi.ts";
import { backoffMs, pause } from "./wait.ts";

export type LiveEvent =
	| { type: "job"; data: Job }
	| { type: "recording"; data: Recording }
	| { type: "recording_deleted"; data: { id: number; jobId: number | null } }
	/** Markers of the job, shown in the recording, were added or deleted. */
	| { type: "markers"; data: { jobId: number | null; recordingId: number | null } }
	| { type: "runner"; data: Runner }
	| { type: "runner_removed"; data: { id: number } }
	| { type: "storage"; data: Storage }
	/** There may be changes that you get no event of: read again what you need. Every connection begins with one. */
	| { type: "resync"; data: Record<string, never> };

const TYPES: ReadonlySet<string> = new Set<LiveEvent["type"]>([
	...(["job", "recording", "recording_deleted", "markers"] as const),
	...(["runner", "runner_removed", "storage", "resync"] as const),
]);

/** The dashboard sends something every 15 seconds. */
const SILENCE_MS = 45_000;

/**
 * Yields changes until the loop ends or the signal is aborted, and connects again when the connection ends.
 * @throws TapedeckError when the first connection fails, or the key is no longer accepted.
 */
export async function* followEvents(
	http: Http,
	{ signal }: CallOptions = {},
): AsyncGenerator<LiveEvent, void, undefined> {
	let connected = false;
	for (let failures = 1; ; failures++) {
		const left = new AbortController();
		const whole = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
		try {
			const headers = { accept: "text/event-stream" };
			const response = await http.open("GET", "/v1/events", { headers, signal: whole });
			connected = true;
			failures = 1;
			yield { type: "resync", data: {} };
			for await (const { type, data } of messagesIn(response)) {
				// Later versions may have others.
				if (TYPES.has(type)) yield { type, data: JSON.parse(data) } as LiveEvent;
			}
		} catch (error) {
			if (signal?.aborted) throw signal.reason;
			if (!connected || isRefusal(error)) throw error;
		} finally {
			left.abort();
		}
		await pause(backoffMs(failures), signal);
	}
}

const isRefusal = (error: unknown): boolean =>
	error instanceof TapedeckError && error.status >= 300 && error.status < 500 && error.status !== 429;

/** The named messages of a stream of server-sent events. */
async function* messagesIn(response: Response): AsyncGenerator<{ type: string; data: string }, void, undefined> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of chunksOf(response, SILENCE_MS)) {
		const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
		rest = blocks.pop() ?? "";
		for (const block of blocks) {
			const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
			const valuesOf = (name: string) => fields.filter((field) => field[1] === name).map((field) => field[2] ?? "");
			const type = valuesOf("event").at(-1);
			const data = valuesOf("data");
			if (type !== undefined && data.length > 0) yield { type, data: data.join("\n") };
		}
	}
}
