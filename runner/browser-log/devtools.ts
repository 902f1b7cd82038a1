/** The Chrome DevTools Protocol, which Chrome and Edge offer to every session. */
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

/** Levels of the console's methods. Methods that are not listed here are logged as well. */
const LEVELS: Readonly<Record<string, TrackLevel>> = {
	debug: "debug",
	verbose: "debug",
	warning: "warn",
	error: "error",
	assert: "error",
};
/** They write nothing. */
const SILENT = new Set(["clear", "endGroup", "profile", "profileEnd"]);
/** Pages, and what runs for them. The browser's own surfaces are pages of another type. */
const TARGETS = ["page", "iframe", "worker", "shared_worker", "service_worker"];
/** A page may have no more requests under way that are followed. */
const MAX_REQUESTS = 1_000;

/** Attaches to every new target without waiting, so that listening slows down no page. */
const ATTACH = {
	method: "Target.setAutoAttach",
	params: {
		autoAttach: true,
		waitForDebuggerOnStart: false,
		flatten: true,
		filter: TARGETS.map((type) => ({ type, exclude: false })),
	},
};
/** Bodies are not read, so the browser need not keep them. */
const NO_BODIES = { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 };

interface Request {
	/** The time by the browser's clock, in milliseconds since 1970; null if unknown. */
	at: number | null;
	/** The same in seconds of the clock that all its events have. */
	began: number;
	method: string | null;
	url: string;
	status: number | null;
}

export class DevToolsProtocol implements Protocol {
	readonly #listener: Listener;
	/** Unfinished requests by target and request id. */
	readonly #requests = new Map<string, Request>();
	/** The commands that make the console of a target known, and its targets: until they are answered, old lines are sent again. */
	readonly #asked = new Map<number, string>();
	readonly #live = new Set<string>();
	#commands = 0;

	constructor(listener: Listener) {
		this.#listener = listener;
	}

	begin(): void {
		this.#send(ATTACH);
	}

	take({ id, method, params, sessionId }: Json): void {
		const target = textIn(sessionId) ?? "";
		const of = objectIn(params);
		if (typeof id === "number") this.#answered(id);
		else if (method === "Target.attachedToTarget") this.#attach(of);
		else if (method === "Target.detachedFromTarget") this.#detach(textIn(of.sessionId) ?? "");
		else if (method === "Runtime.consoleAPICalled") this.#addCall(of, target);
		else if (method === "Runtime.exceptionThrown") this.#addException(of, target);
		else if (method === "Log.entryAdded") this.#addLogEntry(objectIn(of.entry), target);
		else if (method === "Network.requestWillBeSent") this.#beginRequest(of, target);
		else if (method === "Network.responseReceived") this.#respond(of, target);
		else if (method === "Network.loadingFinished") this.#endRequest(of, target, null);
		else if (method === "Network.loadingFailed") this.#endRequest(of, target, textIn(of.errorText) ?? "failed");
	}

	/** Answers to requests whose bodies have not ended. */
	end(): void {
		for (const [key, { status }] of this.#requests) if (status !== null) this.#close(key, null, null, null);
	}

	#send(command: Json, target?: string): number {
		const id = ++this.#commands;
		this.#listener.send({ id, ...command, ...(target === undefined ? {} : { sessionId: target }) });
		return id;
	}

	#attach({ sessionId, targetInfo }: Json): void {
		const target = textIn(sessionId);
		// A browser of a version without filters attaches to its own surfaces, too.
		if (target === null || !TARGETS.includes(String(objectIn(targetInfo).type))) return;
		this.#send({ method: "Network.enable", params: NO_BODIES }, target);
		this.#send({ method: "Log.enable" }, target);
		this.#asked.set(this.#send({ method: "Runtime.enable" }, target), target);
		// Frames and workers of this page.
		this.#send(ATTACH, target);
	}

	#answered(id: number): void {
		const target = this.#asked.get(id);
		if (target !== undefined) this.#live.add(target);
		this.#asked.delete(id);
	}

	#detach(target: string): void {
		this.#live.delete(target);
		for (const key of this.#requests.keys()) if (key.startsWith(`${target} `)) this.#close(key, null, null, null);
	}

	#addCall({ type, args, timestamp, stackTrace }: Json, target: string): void {
		if (SILENT.has(String(type))) return;
		const text = listIn(args).map((arg) => describe(objectIn(arg)));
		const [frame] = listIn(objectIn(stackTrace).callFrames).map(objectIn);
		const place = { source: frame?.url, line: frame?.lineNumber };
		this.#addLine(target, LEVELS[String(type)] ?? "info", text.join(" "), { timestamp, ...place });
	}

	#addException({ exceptionDetails, timestamp }: Json, target: string): void {
		const { text, exception, url, lineNumber } = objectIn(exceptionDetails);
		const thrown = objectIn(exception);
		const said = textIn(thrown.description) ?? ("value" in thrown ? `Uncaught ${describe(thrown)}` : textIn(text));
		this.#addLine(target, "error", said ?? "Uncaught exception", { timestamp, source: url, line: lineNumber });
	}

	#addLogEntry({ source, level, text, timestamp, url, lineNumber }: Json, target: string): void {
		// A request that failed is a line of the network.
		if (source === "network") return;
		this.#addLine(target, LEVELS[String(level)] ?? "info", textIn(text) ?? "", {
			timestamp,
			source: url,
			line: lineNumber,
		});
	}

	#addLine(target: string, level: TrackLevel, text: string, { timestamp, source, line }: Json): void {
		this.#listener.entry({
			kind: "console",
			at: numberIn(timestamp),
			isReplayed: !this.#live.has(target),
			level,
			text,
			source: textIn(source),
			line: lineIn(line),
		});
	}

	#beginRequest({ requestId, request, timestamp, wallTime, redirectResponse }: Json, target: string): void {
		const key = `${target} ${requestId}`;
		const { url, method } = objectIn(request);
		const began = numberIn(timestamp);
		const seconds = numberIn(wallTime);
		if (began === null) return;
		if (redirectResponse !== undefined) {
			const { status, encodedDataLength } = objectIn(redirectResponse);
			const redirected = this.#requests.get(key);
			if (redirected !== undefined) redirected.status = numberIn(status);
			this.#close(key, began, null, numberIn(encodedDataLength));
		}
		this.#follow(key, {
			at: seconds === null ? null : seconds * 1_000,
			began,
			method: textIn(method),
			url: textIn(url) ?? "",
			status: null,
		});
	}

	#respond({ requestId, response, timestamp }: Json, target: string): void {
		const key = `${target} ${requestId}`;
		const { status, url, timing } = objectIn(response);
		const request = this.#requests.get(key);
		if (request !== undefined) request.status = numberIn(status);
		else {
			// Sent before the subscription.
			const began = numberIn(objectIn(timing).requestTime) ?? numberIn(timestamp);
			const sent = { at: null, method: null, url: textIn(url) ?? "", status: numberIn(status) };
			if (began !== null) this.#follow(key, { ...sent, began });
		}
	}

	#endRequest({ requestId, timestamp, encodedDataLength }: Json, target: string, error: string | null): void {
		this.#close(`${target} ${requestId}`, numberIn(timestamp), error, numberIn(encodedDataLength));
	}

	#follow(key: string, request: Request): void {
		// Drops the oldest unfinished request.
		if (this.#requests.size >= MAX_REQUESTS)
			for (const oldest of this.#requests.keys()) {
				this.#requests.delete(oldest);
				break;
			}
		this.#requests.set(key, request);
	}

	/** @param ended in seconds, as its beginning; null for now. */
	#close(key: string, ended: number | null, error: string | null, bytes: number | null): void {
		const request = this.#requests.get(key);
		this.#requests.delete(key);
		if (request === undefined) return;
		const { at, began, method, url, status } = request;
		const durationMs = ended === null ? null : Math.max(0, (ended - began) * 1_000);
		this.#listener.entry({ kind: "network", at, durationMs, method, url, status, error, bytes });
	}
}

/** A value as the console shows it. */
function describe({ type, subtype, value, description, preview, unserializableValue }: Json): string {
	if (type === "object" && subtype !== "error" && preview !== undefined) return describePreview(objectIn(preview));
	if (value !== undefined) return typeof value === "string" ? value : JSON.stringify(value);
	return textIn(description) ?? textIn(unserializableValue) ?? String(subtype ?? type);
}

function describePreview({ subtype, description, properties, overflow }: Json): string {
	if (subtype !== undefined && subtype !== "array") return textIn(description) ?? String(subtype);
	const isList = subtype === "array";
	const shown = listIn(properties).map((each) => {
		const { name, value, type } = objectIn(each);
		const text = type === "string" ? JSON.stringify(value) : String(value ?? type);
		return isList ? text : `${name}: ${text}`;
	});
	const inner = [...shown, ...(overflow === true ? ["…"] : [])].join(", ");
	return isList ? `[${inner}]` : `{${inner}}`;
}
