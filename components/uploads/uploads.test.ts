import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readType } from "./chosen-file.ts";
import { type TransportEvents, type Upload, UploadQueue, uploadsSummary } from "./uploads.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MB = 1_000_000;
const fileOf = (name: string) => ({ name, size: 10 * MB, lastModified: 1 }) as File;
const keeping = { labels: {}, outcome: null, keep: null };
const settled = () => vi.advanceTimersByTimeAsync(0);

/** A queue whose transports the test controls. */
function scene() {
	const wires = new Map<string, TransportEvents & { log: string[] }>();
	const queue = new UploadQueue(async (file, _options, events) => {
		const log: string[] = [];
		wires.set(file.name, { ...events, log });
		return {
			start: () => void log.push("start"),
			stop: async () => void log.push("stop"),
			remove: async () => void log.push("remove"),
		};
	});
	const add = async (...names: string[]) => {
		for (const name of names) queue.add(fileOf(name), { kind: "video", type: "video/mp4", owner: "1/1", keeping });
		await settled();
	};
	const wire = (name: string) => {
		const found = wires.get(name);
		if (found === undefined) throw new Error(`nothing was opened for ${name}`);
		return found;
	};
	const of = (name: string) => queue.list().find((upload) => upload.name === name) as Upload;
	const states = () => queue.list().map(({ state }) => state);
	return { queue, add, wire, of, states };
}

test("two are sent at once, the others are queued", async () => {
	const { add, wire, states } = scene();
	await add("a", "b", "c");
	expect(states()).toEqual(["sending", "sending", "waiting"]);
	wire("a").onDone(7);
	await settled();
	expect(states()).toEqual(["done", "sending", "sending"]);
	expect(wire("c").log).toEqual(["start"]);
});

test("a paused upload lets the next one start, and resumes where it stopped", async () => {
	const { queue, add, wire, of, states } = scene();
	await add("a", "b", "c");
	wire("a").onProgress(4 * MB);
	queue.pause(of("a").id);
	await settled();
	expect(states()).toEqual(["paused", "sending", "sending"]);
	queue.resume(of("a").id);
	expect(of("a")).toMatchObject({ state: "waiting", sentBytes: 4 * MB });
	wire("b").onDone(null);
	await settled();
	expect(of("a").state).toBe("sending");
	expect(wire("a").log).toEqual(["start", "stop", "start"]);
});

test("an interrupted upload is retried with backoff, and at once when the connection is back", async () => {
	const { queue, add, wire, of } = scene();
	await add("a");
	wire("a").onError("no connection", true);
	expect(of("a")).toMatchObject({ state: "retrying", problem: "no connection" });
	await vi.advanceTimersByTimeAsync(1_000);
	expect(of("a").state).toBe("sending");
	wire("a").onError("no connection", true);
	await vi.advanceTimersByTimeAsync(1_999);
	expect(of("a").state).toBe("retrying");
	await vi.advanceTimersByTimeAsync(1);
	expect(of("a").state).toBe("sending");
	for (let tries = 0; tries < 9; tries += 1) {
		wire("a").onError("no connection", true);
		await vi.advanceTimersByTimeAsync(15_000);
		expect(of("a").state).toBe("sending");
	}
	wire("a").onError("no connection", true);
	queue.retryNow();
	await settled();
	expect(of("a")).toMatchObject({ state: "sending", problem: null });
});

test("a refused upload fails with the server's message, and can be retried manually", async () => {
	const { queue, add, wire, of } = scene();
	await add("a");
	wire("a").onError("Not yours.", false);
	expect(of("a")).toMatchObject({ state: "failed", problem: "Not yours." });
	await vi.advanceTimersByTimeAsync(60_000);
	expect(wire("a").log).toEqual(["start"]);
	queue.resume(of("a").id);
	await settled();
	expect(of("a")).toMatchObject({ state: "sending", problem: null });
});

test("a cancelled upload leaves the list and the server, and its late events change nothing", async () => {
	const { queue, add, wire, of } = scene();
	await add("a", "b", "c");
	const a = wire("a");
	await queue.cancel(of("a").id);
	await settled();
	expect(a.log).toEqual(["start", "remove"]);
	expect(queue.list().map(({ name, state }) => [name, state])).toEqual([
		["b", "sending"],
		["c", "sending"],
	]);
	a.onProgress(MB);
	a.onError("aborted", true);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(queue.list()).toHaveLength(2);
	expect(a.log).toEqual(["start", "remove"]);
});

test("the speed covers the last seconds, and a completely sent file is being checked", async () => {
	const { add, wire, of } = scene();
	await add("a");
	for (const second of [0, 1, 2, 3, 4, 5, 6, 7, 8]) {
		wire("a").onProgress(second < 4 ? 0 : (second - 3) * MB);
		await vi.advanceTimersByTimeAsync(1_000);
	}
	expect(of("a").bytesPerSecond).toBeCloseTo(MB, -5);
	wire("a").onProgress(10 * MB);
	expect(of("a").state).toBe("checking");
	wire("a").onDone(12);
	expect(of("a")).toMatchObject({ state: "done", recordingId: 12, problem: null });
});

test("a file is not sent twice at once; dropped again while paused, it resumes", async () => {
	const { queue, add, of, states } = scene();
	await add("a", "a");
	expect(states()).toEqual(["sending"]);
	queue.pause(of("a").id);
	await add("a");
	expect(states()).toEqual(["sending"]);
});

test("the summary counts what is being sent, and in the end what is complete apart from what failed", async () => {
	const { queue, add, wire } = scene();
	await add("a", "b", "c");
	expect(uploadsSummary(queue.list())).toBe("Uploading 3 files");
	wire("a").onDone(1);
	await settled();
	wire("b").onError("no", false);
	await settled();
	expect(uploadsSummary(queue.list())).toBe("Uploading 1 file");
	wire("c").onDone(2);
	expect(uploadsSummary(queue.list())).toBe("2 uploads complete, 1 failed");
	await queue.cancel(1);
	await queue.cancel(3);
	expect(uploadsSummary(queue.list())).toBe("1 upload failed");
	queue.clear();
	await add("d");
	wire("d").onDone(3);
	expect(uploadsSummary(queue.list())).toBe("1 upload complete");
});

test("clearing keeps unfinished uploads", async () => {
	const { queue, add, wire } = scene();
	await add("a", "b", "c");
	wire("a").onDone(1);
	wire("b").onError("no", false);
	queue.clear();
	expect(queue.list().map(({ name }) => name)).toEqual(["c"]);
});

test("a file is known by its first bytes, and one that is only named like a video is refused", async () => {
	const typeOf = async (name: string, ...bytes: string[]) => (await readType(new File(bytes, name)))?.type ?? null;
	expect(await typeOf("a.txt", "\0\0\0\x18ftypisom0000")).toBe("video/mp4");
	expect(await typeOf("a.mp4", "this is only text")).toBeNull();
	expect(await typeOf("a.webm")).toBeNull();
	expect(await typeOf("a.md", "this is only text")).toBe("text/markdown");
	expect(await typeOf("a", "this is only text")).toBe("application/octet-stream");
});
