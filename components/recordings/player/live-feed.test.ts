import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { LiveFeed, type LiveFeedState } from "./live-feed.ts";

interface Range {
	start: number;
	end: number;
}

/** Ranges as a <video> reports them. */
const timeRanges = (ranges: readonly Range[]) => ({
	length: ranges.length,
	start: (index: number) => ranges[index]?.start ?? 0,
	end: (index: number) => ranges[index]?.end ?? 0,
});

/** The data that the test server sends for a fragment: its times, as text. */
const fragment = (start: number, end: number): string => `${start}-${end};`.padEnd(64, " ");

/** A SourceBuffer for the fragments above. Node has no Media Source Extensions. */
class FakeSourceBuffer extends EventTarget {
	ranges: Range[] = [];
	get buffered() {
		return timeRanges(this.ranges);
	}
	appendBuffer(bytes: Uint8Array): void {
		for (const [, start, end] of new TextDecoder().decode(bytes).matchAll(/([\d.]+)-([\d.]+);/g)) {
			const last = this.ranges.at(-1);
			if (last !== undefined && last.end === Number(start)) last.end = Number(end);
			else this.ranges.push({ start: Number(start), end: Number(end) });
		}
		this.#finish();
	}
	remove(_start: number, end: number): void {
		this.ranges = this.ranges.filter((range) => range.end > end).map((range) => ({ ...range, start: end }));
		this.#finish();
	}
	abort(): void {
		// Does nothing: abort drops only a half-received segment, and this buffer has none.
	}
	#finish(): void {
		queueMicrotask(() => this.dispatchEvent(new Event("updateend")));
	}
}

class FakeMediaSource extends EventTarget {
	static buffer: FakeSourceBuffer;
	static isTypeSupported = (type: string): boolean => type.includes("avc1");
	readyState = "open";
	constructor() {
		super();
		queueMicrotask(() => this.dispatchEvent(new Event("sourceopen")));
	}
	addSourceBuffer(): FakeSourceBuffer {
		FakeMediaSource.buffer = new FakeSourceBuffer();
		return FakeMediaSource.buffer;
	}
}

class FakeVideo extends EventTarget {
	currentTime = 0;
	playbackRate = 1;
	paused = true;
	src = "";
	get buffered() {
		return timeRanges(FakeMediaSource.buffer?.ranges ?? []);
	}
	async play(): Promise<void> {
		this.paused = false;
	}
	pause(): void {
		this.paused = true;
		this.dispatchEvent(new Event("pause"));
	}
}

beforeEach(() => {
	FakeMediaSource.buffer = new FakeSourceBuffer();
	vi.stubGlobal("MediaSource", FakeMediaSource);
	vi.stubGlobal("document", { hidden: false });
	vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:live");
	vi.spyOn(URL, "revokeObjectURL").mockReturnValue(undefined);
});
afterEach(() => {
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

/** A feed that is connected to a server whose answers the test writes. */
async function scene(options: { startSeconds?: number; edgeSeconds?: () => number; type?: string } = {}) {
	const requests: { from: string; answer: ServerResponse }[] = [];
	const server = createServer((request: IncomingMessage, answer) => {
		answer.setHeader("content-type", options.type ?? 'video/mp4; codecs="avc1.42C01F"');
		answer.flushHeaders();
		requests.push({ from: new URL(request.url ?? "", "http://x").searchParams.get("from") ?? "", answer });
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const video = new FakeVideo();
	const states: LiveFeedState[] = [];
	const feed = new LiveFeed({
		video: video as unknown as HTMLVideoElement,
		path: `http://127.0.0.1:${(server.address() as AddressInfo).port}/live`,
		startSeconds: options.startSeconds,
		edgeSeconds: options.edgeSeconds ?? (() => 0),
		onState: (state) => states.push(state),
	});
	onTestFinished(() => {
		feed.close();
		server.closeAllConnections();
		server.close();
	});
	const connected = async (count: number) => {
		await expect.poll(() => requests.length).toBe(count);
		const request = requests[count - 1];
		if (request === undefined) throw new Error("no request");
		return request;
	};
	const bufferedTo = (seconds: number) => expect.poll(() => FakeMediaSource.buffer.ranges.at(-1)?.end).toBe(seconds);
	return { feed, video, states, requests, connected, bufferedTo };
}

test("it starts near the newest frame, plays, and catches up faster when it falls a little behind", async () => {
	const { video, states, connected, bufferedTo } = await scene();
	const { from, answer } = await connected(1);
	expect(from).toBe("now");
	answer.write(fragment(100, 102));
	await bufferedTo(102);
	await expect.poll(() => states.at(-1)).toEqual({ status: "playing", following: true });
	expect(video.currentTime).toBeCloseTo(101.65, 5);
	expect(video.paused).toBe(false);

	video.currentTime = 102;
	answer.write(fragment(102, 103));
	await expect.poll(() => video.playbackRate).toBe(1.15);
	expect(video.currentTime).toBe(102);
	answer.write(fragment(103, 104.5));
	await expect.poll(() => video.currentTime).toBeCloseTo(104.15, 5);
	expect(video.playbackRate).toBe(1);
});

test("a pause stays where it is while fragments arrive; going live follows again", async () => {
	const { feed, video, states, connected, bufferedTo, requests } = await scene({ edgeSeconds: () => 6 });
	const { answer } = await connected(1);
	answer.write(fragment(0, 2));
	await expect.poll(() => states.at(-1)?.status).toBe("playing");
	video.pause();
	const pausedAt = video.currentTime;
	expect(states.at(-1)?.following).toBe(false);
	answer.write(fragment(2, 6));
	await bufferedTo(6);
	expect(video.currentTime).toBe(pausedAt);
	feed.goLive();
	expect(states.at(-1)?.following).toBe(true);
	expect(video.currentTime).toBeCloseTo(5.65, 5);
	expect(requests).toHaveLength(1);
});

test("a seek within the buffer keeps the connection; one outside of it drops the buffer and connects there", async () => {
	const { feed, video, connected, bufferedTo, requests } = await scene();
	const { answer } = await connected(1);
	answer.write(fragment(50, 60));
	await bufferedTo(60);
	feed.seek(52);
	expect(video.currentTime).toBe(52);
	expect(requests).toHaveLength(1);
	feed.seek(3.25);
	const second = await connected(2);
	expect(second.from).toBe("3.250");
	second.answer.write(fragment(2, 5));
	await bufferedTo(5);
	expect(FakeMediaSource.buffer.ranges).toEqual([{ start: 2, end: 5 }]);
	expect(video.currentTime).toBe(3.25);
});

test.each([
	["following, it reconnects at the newest frame", true, "now"],
	["behind, it reconnects where its buffer ends", false, "4.000"],
] as const)("after a lost connection it says so: %s", async (_case, following, from) => {
	const { feed, video, states, connected, bufferedTo } = await scene({ edgeSeconds: () => 100 });
	const { answer } = await connected(1);
	answer.write(fragment(0, 4));
	await bufferedTo(4);
	if (!following) feed.seek(1);
	answer.destroy();
	await expect.poll(() => states.at(-1)).toEqual({ status: "reconnecting", following });
	const second = await connected(2);
	expect(second.from).toBe(from);
	second.answer.write(fragment(4, 5));
	await expect.poll(() => states.at(-1)?.status).toBe("playing");
	if (!following) expect(video.currentTime).toBe(1);
});

test("when the recording has ended, it does not call the live view disconnected", async () => {
	const { states, connected, bufferedTo } = await scene({ edgeSeconds: () => 100 });
	const { answer } = await connected(1);
	answer.write(fragment(0, 4));
	await bufferedTo(4);
	answer.end();
	await connected(2);
	expect(states.at(-1)?.status).toBe("playing");
});

test("behind, it reads no more than half a minute ahead until the position moves on", async () => {
	const { feed, video, connected, bufferedTo } = await scene({ edgeSeconds: () => 1_000 });
	const { answer } = await connected(1);
	answer.write(fragment(0, 10));
	await bufferedTo(10);
	feed.seek(0);
	answer.write(fragment(10, 40));
	await bufferedTo(40);
	answer.write(fragment(40, 41));
	// The bytes of a second write are read only if the first one did not fill the buffer.
	for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
	expect(FakeMediaSource.buffer.ranges.at(-1)?.end).toBe(40);
	video.currentTime = 12;
	video.dispatchEvent(new Event("timeupdate"));
	await bufferedTo(41);
});

test("a position inside a gap moves on to the next frame that was recorded", async () => {
	const { video, connected, bufferedTo } = await scene({ startSeconds: 3, edgeSeconds: () => 100 });
	const { from, answer } = await connected(1);
	expect(from).toBe("3.000");
	answer.write(fragment(8, 9));
	await bufferedTo(9);
	await expect.poll(() => video.currentTime).toBe(8);
});

test("a browser without Media Source Extensions, or without the codec, is reported as unsupported", async () => {
	const { states, connected } = await scene({ type: 'video/mp4; codecs="vp09"' });
	(await connected(1)).answer.write(fragment(0, 1));
	await expect.poll(() => states.at(-1)?.status).toBe("unsupported");
	vi.stubGlobal("MediaSource", undefined);
	const without = await scene();
	expect(without.states).toEqual([{ status: "unsupported", following: true }]);
	expect(without.requests).toEqual([]);
});
