/** WebDriver BiDi (W3C), which Firefox and others offer to sessions that ask for `webSocketUrl`. */
import type { TrackLevel } from "@tapedeck/contract/track.ts";
import {
	type Json,
	type Listener,
	lineIn,
	listIn,
	numberIn,
	objectIn,
	type Protocol,
	textIn,
} from "./browser-entry.ts";

const EVENTS = ["log.entryAdded", "network.responseCompleted", "network.fetchError"];
const LEVELS: Readonly<Record<string, TrackLevel>> = { debug: "debug", info: "info", warn: "warn", error: "error" };
const SUBSCRIBE = 1;

export class BidiProtocol implements Protocol {
	readonly #listener: Listener;
	/** Earlier events are replayed before the subscription is confirmed. */
	#isSubscribed = false;

	constructor(listener: Listener) {
		this.#listener = listener;
	}

	begin(): void {
		this.#listener.send({ id: SUBSCRIBE, method: "session.subscribe", params: { events: EVENTS } });
	}

	take({ id, method, params }: Json): void {
		if (id === SUBSCRIBE) this.#isSubscribed = true;
		else if (method === "log.entryAdded") this.#addLine(objectIn(params));
		else if (method === "network.responseCompleted" || method === "network.fetchError") this.#addCall(objectIn(params));
	}

	end(): void {
		// Requests are reported as a whole, when they have ended.
	}

	#addLine(entry: Json): void {
		const [frame] = listIn(objectIn(entry.stackTrace).callFrames).map(objectIn);
		this.#listener.entry({
			kind: "console",
			at: numberIn(entry.timestamp),
			isReplayed: !this.#isSubscribed,
			level: LEVELS[String(entry.level)] ?? "info",
			text: textIn(entry.text) ?? "",
			source: textIn(frame?.url),
			line: lineIn(frame?.lineNumber),
		});
	}

	/** Some browsers set an event's own time to the beginning, others to the end. Only its timings are certain. */
	#addCall(call: Json): void {
		const request = objectIn(call.request);
		const response = objectIn(call.response);
		const timings = objectIn(request.timings);
		const origin = numberIn(timings.timeOrigin);
		const begun = numberIn(timings.requestTime) ?? 0;
		const ended = numberIn(timings.responseEnd) ?? 0;
		this.#listener.entry({
			kind: "network",
			at: origin === null || origin <= 0 ? null : origin + begun,
			durationMs: ended > begun ? ended - begun : null,
			method: textIn(request.method),
			url: textIn(request.url) ?? "",
			status: numberIn(response.status),
			error: textIn(call.errorText),
			bytes: numberIn(response.bytesReceived),
		});
	}
}
