/**
 * One event stream per browser, however many tabs: the tab that holds a Web Lock opens the stream and passes its events
 * on over a BroadcastChannel. When that tab goes, the lock goes to another. HTTP/1.1 allows a browser six connections to
 * a host, so seven tabs with a stream each would stall everything.
 */
import { LIVE_EVENT_TYPES, type LiveEvent } from "@tapedeck/contract/live-event.ts";
import { noteStream } from "../reachable.ts";

export type LiveState = "connecting" | "live" | "lost";

type ChannelMessage =
	| { kind: "event"; event: LiveEvent }
	| { kind: "state"; state: LiveState }
	/** A new tab asks for the current state. */
	| { kind: "ask" };

export interface LiveListener {
	onEvent(event: LiveEvent): void;
	onState(state: LiveState): void;
	/** The server refused the stream: the session may have ended. Called in the tab that opened it, at every attempt. */
	onRefused?(): void;
}

const RESYNC: LiveEvent = { type: "resync", data: {} };
/** EventSource gives up on some responses (such as 503); then we reopen it. */
const REOPEN_MS = 2_000;

/**
 * Listens to the server's events until the returned function is called. `name` keeps the streams of different users
 * apart (the organization's id): the lock and the channel are shared by all tabs of a site.
 */
export function followLiveEvents(name: string, listener: LiveListener): () => void {
	const noted: LiveListener = {
		onEvent: (event) => listener.onEvent(event),
		onState: (state) => {
			noteStream(state === "live");
			listener.onState(state);
		},
		onRefused: () => listener.onRefused?.(),
	};
	// Web Locks need a secure context. Over plain HTTP no tab can lead, so each tab opens its own stream.
	const { locks } = navigator;
	return locks === undefined ? openStream(noted) : shareStream(name, locks, noted);
}

/** Follows the stream of the tab that leads, and leads once this tab gets the lock. */
function shareStream(name: string, locks: LockManager, listener: LiveListener): () => void {
	const ended = new AbortController();
	const channel = new BroadcastChannel(`tapedeck-live-${name}`);
	const post = (message: ChannelMessage) => channel.postMessage(message);
	let leads = false;
	let state: LiveState = "connecting";

	channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
		if (data.kind === "event") listener.onEvent(data.event);
		else if (data.kind === "ask") {
			if (leads) post({ kind: "state", state });
		} else if (!leads) listener.onState(data.state);
	};
	post({ kind: "ask" });

	const lead = () =>
		new Promise<void>((resolve) => {
			// The lock may be granted at the very moment at which this tab stops listening.
			if (ended.signal.aborted) return resolve();
			leads = true;
			const close = openStream({
				...listener,
				onEvent: (event) => {
					listener.onEvent(event);
					post({ kind: "event", event });
				},
				onState: (next) => {
					state = next;
					listener.onState(next);
					post({ kind: "state", state: next });
				},
			});
			ended.signal.addEventListener("abort", () => {
				close();
				resolve();
			});
		});
	locks.request(`tapedeck-live-${name}`, { signal: ended.signal }, lead).catch(() => {
		// Aborted while waiting: this tab has gone.
	});

	return () => {
		ended.abort();
		channel.close();
	};
}

/** Opens the stream and keeps it open. A `resync` makes up for what was missed meanwhile. */
function openStream({ onEvent, onState, onRefused }: LiveListener): () => void {
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
			onRefused?.();
			reopen = setTimeout(open, REOPEN_MS);
		};
		for (const type of LIVE_EVENT_TYPES) {
			source.addEventListener(type, (message: MessageEvent<string>) => {
				onEvent({ type, data: JSON.parse(message.data) } as LiveEvent);
			});
		}
	};
	open();

	// The browser reports when the network is back: no need to wait for the next attempt.
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
