import type { LiveEvent } from "@tapedeck/contract/live-event.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followLiveEvents, type LiveState } from "./live-updates.ts";

/** Fires the browser's `online` and `offline` events. */
const system = new EventTarget();

/** A stream whose server the test controls; Node has no EventSource. */
class FakeEventSource extends EventTarget {
	static readonly CLOSED = 2;
	static opened: FakeEventSource[] = [];
	readyState = 0;
	onopen: (() => void) | null = null;
	onerror: (() => void) | null = null;

	constructor() {
		super();
		FakeEventSource.opened.push(this);
	}

	accept(): void {
		this.readyState = 1;
		this.onopen?.();
	}

	breakOff(): void {
		this.readyState = 0;
		this.onerror?.();
	}

	refuse(): void {
		this.readyState = FakeEventSource.CLOSED;
		this.onerror?.();
	}

	say(type: string, data: unknown): void {
		this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
	}

	close(): void {
		this.readyState = FakeEventSource.CLOSED;
	}
}

let name = 0;
const leave: (() => void)[] = [];

/** A tab that listens; tabs with the same name share a stream. */
function tab(shared: string) {
	const seen: LiveEvent["type"][] = [];
	const states: LiveState[] = [];
	let refusals = 0;
	const end = followLiveEvents(shared, {
		onRefused: () => {
			refusals += 1;
		},
		onEvent: (event) => seen.push(event.type),
		onState: (state) => states.push(state),
	});
	leave.push(end);
	return { seen, states, end, refusals: () => refusals };
}

const open = () => FakeEventSource.opened.filter((one) => one.readyState !== FakeEventSource.CLOSED);

beforeEach(() => {
	FakeEventSource.opened = [];
	name += 1;
	vi.stubGlobal("EventSource", FakeEventSource);
	vi.stubGlobal("addEventListener", system.addEventListener.bind(system));
	vi.stubGlobal("removeEventListener", system.removeEventListener.bind(system));
});
afterEach(() => {
	for (const end of leave.splice(0)) end();
	vi.unstubAllGlobals();
});

test("two tabs share one stream, and its events reach both", async () => {
	const first = tab(`org-${name}`);
	await expect.poll(open).toHaveLength(1);
	const second = tab(`org-${name}`);
	open()[0]?.accept();
	open()[0]?.say("job", { id: 1 });
	await expect.poll(() => second.seen).toEqual(["resync", "job"]);
	expect(first.seen).toEqual(["resync", "job"]);
	expect(second.states).toContain("live");
	expect(FakeEventSource.opened).toHaveLength(1);
});

test("when the tab with the stream closes, another opens its own and resyncs", async () => {
	const first = tab(`org-${name}`);
	await expect.poll(open).toHaveLength(1);
	const second = tab(`org-${name}`);
	first.end();
	await expect.poll(() => FakeEventSource.opened).toHaveLength(2);
	expect(open()).toHaveLength(1);
	open()[0]?.accept();
	expect(second.seen).toEqual(["resync"]);
});

test("a tab opened later learns that the stream is connected", async () => {
	tab(`org-${name}`);
	await expect.poll(open).toHaveLength(1);
	open()[0]?.accept();
	const late = tab(`org-${name}`);
	await expect.poll(() => late.states).toEqual(["live"]);
});

test("a lost connection is reported, and everything is fetched again once it is back", async () => {
	const only = tab(`org-${name}`);
	await expect.poll(open).toHaveLength(1);
	open()[0]?.accept();
	open()[0]?.breakOff();
	open()[0]?.accept();
	expect(only.states).toEqual(["live", "lost", "live"]);
	expect(only.seen).toEqual(["resync", "resync"]);
});

test("a page that closes at once leaves no stream behind", async () => {
	tab(`org-${name}`).end();
	const stays = tab(`org-${name}`);
	await expect.poll(open).toHaveLength(1);
	open()[0]?.accept();
	expect(stays.seen).toEqual(["resync"]);
	expect(FakeEventSource.opened).toHaveLength(1);
});

test("a refused stream is reported as refused, a broken one is not", async () => {
	const only = tab(`org-${name}`);
	await expect.poll(open).toHaveLength(1);
	open()[0]?.accept();
	open()[0]?.breakOff();
	expect(only.refusals()).toBe(0);
	open()[0]?.refuse();
	expect(only.refusals()).toBe(1);
	expect(only.states.at(-1)).toBe("lost");
});

test("going offline is reported at once, and going online reconnects at once", async () => {
	const only = tab(`org-${name}`);
	await expect.poll(open).toHaveLength(1);
	open()[0]?.accept();
	system.dispatchEvent(new Event("offline"));
	expect(only.states).toEqual(["live", "lost"]);
	system.dispatchEvent(new Event("online"));
	expect(FakeEventSource.opened).toHaveLength(2);
	expect(open()).toHaveLength(1);
	open()[0]?.accept();
	expect(only.states).toEqual(["live", "lost", "live"]);
	expect(only.seen).toEqual(["resync", "resync"]);
	only.end();
	system.dispatchEvent(new Event("online"));
	expect(FakeEventSource.opened).toHaveLength(2);
});

/** Resolves once everything that was posted on this channel so far has been delivered. */
async function delivered(shared: string): Promise<void> {
	const [from, to] = [0, 1].map(() => new BroadcastChannel(`tapedeck-live-${shared}`)) as [
		BroadcastChannel,
		BroadcastChannel,
	];
	const arrived = new Promise((resolve) => {
		to.onmessage = resolve;
	});
	from.postMessage({ kind: "ask" });
	await arrived;
	from.close();
	to.close();
}

test("without Web Locks, as over plain HTTP, each tab opens its own stream and gets each event once", async () => {
	vi.stubGlobal("navigator", {});
	const tabs = [1, 2, 3].map(() => tab(`org-${name}`));
	expect(open()).toHaveLength(3);
	for (const stream of open()) stream.accept();
	for (const stream of open()) stream.say("job", { id: 1 });
	await delivered(`org-${name}`);
	for (const { seen, states } of tabs) {
		expect(seen).toEqual(["resync", "job"]);
		expect(states).toEqual(["live"]);
	}
});
