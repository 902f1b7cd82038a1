/**
 * One event stream per browser, however many tabs: the tab that holds a Web Lock opens it and tells the
 * others over a BroadcastChannel; when that tab goes, the lock passes on. HTTP/1.1 allows a browser six
 * connections to a host, so seven tabs with a stream each would stall everything.
 */
import { LIVE_EVENT_TYPES, type LiveEvent } from "../contract/live-event.ts";
import { noteStream } from "./reachable.ts";

export type LiveState = "connecting" | "live" | "lost";

type ChannelMessage =
	| { kind: "event"; event: LiveEvent }
	| { kind: "state"; state: LiveState }
	/** A tab that has just come asks how things stand. */
	| { kind: "ask" };

export interface LiveListener {
	onEvent(event: LiveEvent): void;
	onState(state: LiveState): void;
	/** The server refused the stream: the session may have ended. Told to the tab that opened it, at every try. */
	onRefused?(): void;
}

const RESYNC: LiveEvent = { type: "resync", data: {} };
/** EventSource gives up by itself on some answers (such as 503); then we open another. */
const REOPEN_MS = 2_000;

/**
 * Listens to the server's events until the returned function is called. `name` keeps the streams of
 * different people apart (the organization's id): the lock and the channel are shared by all tabs of a site.
 */
export function followLiveEvents(name: string, listener: LiveListener): () => void {
	const ended = new AbortController();
	const channel = new BroadcastChannel(`tapedeck-live-${name}`);
	let leads = false;
	let state: LiveState = "connecting";

	const noteState = (next: LiveState) => {
		state = next;
		noteStream(next);
		listener.onState(next);
	};
	const tellState = (next: LiveState) => {
		noteState(next);
		if (leads) channel.postMessage({ kind: "state", state: next } satisfies ChannelMessage);
	};
	const tellEvent = (event: LiveEvent) => {
		listener.onEvent(event);
		channel.postMessage({ kind: "event", event } satisfies ChannelMessage);
	};

	channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
		if (data.kind === "event") listener.onEvent(data.event);
		else if (data.kind === "ask") {
			if (leads) channel.postMessage({ kind: "state", state } satisfies ChannelMessage);
		} else if (!leads) noteState(data.state);
	};
	channel.postMessage({ kind: "ask" } satisfies ChannelMessage);

	const lead = () =>
		new Promise<void>((resolve) => {
			// The lock may have been granted in the very moment in which this tab stopped listening.
			if (ended.signal.aborted) return resolve();
			leads = true;
			const close = openStream(tellEvent, tellState, () => listener.onRefused?.());
			ended.signal.addEventListener("abort", () => {
				close();
				resolve();
			});
		});

	// Web Locks need a secure context; over plain HTTP each tab has a stream of its own.
	if (typeof navigator.locks === "undefined") void lead();
	else {
		navigator.locks.request(`tapedeck-live-${name}`, { signal: ended.signal }, lead).catch(() => {
			// Aborted while waiting: this tab has gone.
		});
	}

	return () => {
		ended.abort();
		channel.close();
	};
}

/** Opens the stream and keeps it open. Whatever was missed meanwhile is made up for by a `resync`. */
function openStream(
	onEvent: (event: LiveEvent) => void,
	onState: (state: LiveState) => void,
	onRefused: () => void,
): () => void {
	let source: EventSource | undefined;
	let reopen: ReturnType<typeof setTimeout> | undefined;

	const open = () => {
		source = new EventSource("/v1/events");
		source.onopen = () => {
			onState("live");
			onEvent(RESYNC);
		};
		source.onerror = () => {
			onState("lost");
			if (source?.readyState !== EventSource.CLOSED) return;
			onRefused();
			reopen = setTimeout(open, REOPEN_MS);
		};
		for (const type of LIVE_EVENT_TYPES) {
			source.addEventListener(type, (message: MessageEvent<string>) => {
				onEvent({ type, data: JSON.parse(message.data) } as LiveEvent);
			});
		}
	};
	open();

	// Told by the system, so that a network that went and came back costs no waiting for the next try.
	const onOffline = () => onState("lost");
	const onOnline = () => {
		clearTimeout(reopen);
		source?.close();
		open();
	};
	addEventListener("offline", onOffline);
	addEventListener("online", onOnline);

	return () => {
		removeEventListener("offline", onOffline);
		removeEventListener("online", onOnline);
		clearTimeout(reopen);
		source?.close();
	};
}
