import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveEvent } from "../../contract/live-event.ts";
import { followLiveEvents, type LiveState } from "../live-updates.ts";

/** What the system tells of the network. */
const system = new EventTarget();

/** A stream that the test speaks for; Node has none of its own. */
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

/** A tab that listens; tabs with the same name share their stream. */
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

test("two tabs share one stream, and what it says reaches both", async () => {
	const first = tab(`org-${name}`);
	await vi.waitFor(() => expect(open()).toHaveLength(1));
	const second = tab(`org-${name}`);
	open()[0]?.accept();
	open()[0]?.say("job", { id: 1 });
	await vi.waitFor(() => expect(second.seen).toEqual(["resync", "job"]));
	expect(first.seen).toEqual(["resync", "job"]);
	expect(second.states).toContain("live");
	expect(FakeEventSource.opened).toHaveLength(1);
});

test("when the tab with the stream goes, another opens its own and fetches what it may have missed", async () => {
	const first = tab(`org-${name}`);
	await vi.waitFor(() => expect(open()).toHaveLength(1));
	const second = tab(`org-${name}`);
	first.end();
	await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(2));
	expect(open()).toHaveLength(1);
	open()[0]?.accept();
	expect(second.seen).toEqual(["resync"]);
});

test("a tab that comes later learns that the stream is up", async () => {
	tab(`org-${name}`);
	await vi.waitFor(() => expect(open()).toHaveLength(1));
	open()[0]?.accept();
	const late = tab(`org-${name}`);
	await vi.waitFor(() => expect(late.states).toEqual(["live"]));
});

test("a break is told, and everything is fetched again when it is over", async () => {
	const only = tab(`org-${name}`);
	await vi.waitFor(() => expect(open()).toHaveLength(1));
	open()[0]?.accept();
	open()[0]?.breakOff();
	open()[0]?.accept();
	expect(only.states).toEqual(["live", "lost", "live"]);
	expect(only.seen).toEqual(["resync", "resync"]);
});

test("a page that goes at once leaves no stream behind", async () => {
	tab(`org-${name}`).end();
	const stays = tab(`org-${name}`);
	await vi.waitFor(() => expect(open()).toHaveLength(1));
	open()[0]?.accept();
	expect(stays.seen).toEqual(["resync"]);
	expect(FakeEventSource.opened).toHaveLength(1);
});

test("a stream that the server refuses is told, and one that merely breaks off is not", async () => {
	const only = tab(`org-${name}`);
	await vi.waitFor(() => expect(open()).toHaveLength(1));
	open()[0]?.accept();
	open()[0]?.breakOff();
	expect(only.refusals()).toBe(0);
	open()[0]?.refuse();
	expect(only.refusals()).toBe(1);
	expect(only.states.at(-1)).toBe("lost");
});

test("a network that goes is told at once, and one that comes back is not waited for", async () => {
	const only = tab(`org-${name}`);
	await vi.waitFor(() => expect(open()).toHaveLength(1));
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
