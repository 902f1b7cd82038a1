import { describe, expect, test } from "vitest";
import type { Actor } from "#lib/core/context.ts";
import { type ExcerptCall, Excerpts } from "./excerpts.ts";

const HERE = new AbortController().signal;
const MIB = 2 ** 20;

type Caller = { actor: Actor; address?: string };
const person = (organizationId: number, userId = 1): Caller => ({
	actor: { kind: "user", organizationId, userId, name: "Ada", role: "viewer" },
});
const visitor = (address: string): Caller => ({ actor: { kind: "link", organizationId: 1, recordingId: 7 }, address });

/** Excerpts of which the test decides when each is created. */
function scene(times = {}) {
	const excerpts = new Excerpts(times);
	const begun: string[] = [];
	const discarded: string[] = [];
	const ends = new Map<string, () => void>();
	const request = (
		key: string,
		caller: Caller,
		{
			bytes = 1,
			maxBytes = 1,
			reads = async () => undefined,
			...call
		}: Partial<ExcerptCall> & { bytes?: number; reads?: () => Promise<void> } = {},
	): Promise<string> => {
		const answer = excerpts.use(
			caller,
			{ kind: "long", key, maxBytes, signal: HERE, ...call },
			async (signal) => {
				begun.push(key);
				const { promise, resolve, reject } = Promise.withResolvers<void>();
				ends.set(key, resolve);
				signal.addEventListener("abort", () => reject(signal.reason));
				await promise;
				return { value: `made ${key}`, bytes, discard: async () => void discarded.push(key) };
			},
			async (value) => {
				await reads();
				return value;
			},
		);
		// Requests that wait when a test ends are refused later.
		answer.catch(() => undefined);
		return answer;
	};
	const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
	/** Creates an excerpt. @returns its answer. */
	const made = async (...args: Parameters<typeof request>) => {
		const answer = request(...args);
		await settled();
		ends.get(args[0])?.();
		return answer;
	};
	return { excerpts, begun, discarded, request, made, settled, end: (key: string) => ends.get(key)?.() };
}

describe("turns", () => {
	test("a caller who requests many clips leaves places for colleagues, and an organization for others", async () => {
		const { request, begun, settled } = scene();
		for (const key of ["a1", "a2"]) void request(key, person(1, 1));
		void request("b1", person(1, 2));
		void request("c1", person(1, 3));
		await settled();
		expect(begun).toEqual(["a1", "b1"]);
		void request("x1", person(2));
		await settled();
		expect(begun).toEqual(["a1", "b1", "x1"]);
	});

	test("a frame is created while clips take all places", async () => {
		const { request, made } = scene();
		for (const organization of [1, 2, 3, 4]) void request(`clip ${organization}`, person(organization));
		expect(await made("frame", person(1), { kind: "frame" })).toBe("made frame");
	});

	test("80 frames that a visitor of a share link requests do not keep another visitor from one", async () => {
		const { request, settled, begun, end } = scene();
		const refused: string[] = [];
		for (let at = 0; at < 80; at += 1) {
			request(`frame ${at}`, visitor("192.0.2.1"), { kind: "frame" }).catch(({ code }) => refused.push(code));
		}
		const other = request("frame of another visitor", visitor("192.0.2.2"), { kind: "frame" });
		await settled();
		end("frame 0");
		await settled();
		expect(begun).toEqual(["frame 0", "frame of another visitor"]);
		end("frame of another visitor");
		expect(await other).toBe("made frame of another visitor");
		expect(refused.length).toBe(29);
	});

	test("a call that has no turn in time is answered 503 with Retry-After", async () => {
		const { request } = scene({ waitMs: 20 });
		void request("first", person(1));
		const late = request("second", person(1));
		await expect(late).rejects.toMatchObject({ code: "unavailable", headers: { "retry-after": "10" } });
	});

	test("an excerpt that takes too long to create is answered 503, and its place is free again", async () => {
		const { request, made, begun } = scene({ workMs: 100 });
		const slow = request("slow", person(1));
		await expect(slow).rejects.toMatchObject({ code: "unavailable", headers: { "retry-after": "30" } });
		expect(await made("next", person(1))).toBe("made next");
		expect(begun).toEqual(["slow", "next"]);
	});
});

describe("a kept excerpt", () => {
	test("is created once for all calls that request it, at the same time and later", async () => {
		const { request, begun, settled, end } = scene();
		const visitors = Array.from({ length: 80 }, (_, index) => visitor(`192.0.2.${index}`));
		const answers = visitors.map((each) => request("clip", each));
		await settled();
		end("clip");
		expect(new Set(await Promise.all(answers))).toEqual(new Set(["made clip"]));
		expect(await request("clip", visitor("198.51.100.1"))).toBe("made clip");
		expect(begun).toEqual(["clip"]);
	});

	test("is discarded when it was not used for a while", async () => {
		const { made, discarded, begun } = scene({ keepMs: 20 });
		await made("clip", person(1));
		expect(discarded).toEqual([]);
		await expect.poll(() => discarded).toEqual(["clip"]);
		await made("clip", person(1));
		expect(begun).toEqual(["clip", "clip"]);
	});

	test("is discarded at once after its last reader if it must not be kept", async () => {
		const { excerpts, settled } = scene();
		const discarded: string[] = [];
		await excerpts.use(
			person(1),
			{ kind: "long", key: null, maxBytes: 1, signal: HERE },
			async () => ({ value: 1, bytes: 1, discard: async () => void discarded.push("live") }),
			async () => expect(discarded).toEqual([]),
		);
		await settled();
		expect(discarded).toEqual(["live"]);
	});

	test("makes space for a new one, the one first that was not used for longest", async () => {
		const { made, discarded, settled } = scene();
		for (let number = 0; number < 10; number += 1) {
			await made(`clip ${number}`, person(1), { bytes: 100 * MIB, maxBytes: 100 * MIB });
		}
		await made("clip 0", person(1));
		await made("new", person(1), { bytes: 100 * MIB, maxBytes: 100 * MIB });
		await settled();
		expect(discarded).toEqual(["clip 1"]);
	});

	test("is not created while its caller reads too many, or its organization, and others get theirs", async () => {
		const { made } = scene();
		const gate = Promise.withResolvers<void>();
		const large = { bytes: 100 * MIB, maxBytes: 100 * MIB, reads: () => gate.promise };
		const readings: Promise<string>[] = [];
		const read = async (key: string, caller: Caller) => {
			readings.push(made(key, caller, large));
			await new Promise((resolve) => setTimeout(resolve, 20));
		};
		for (const key of ["1", "2"]) await read(key, person(1, 1));
		await expect(made("3", person(1, 1), large)).rejects.toMatchObject({ code: "unavailable" });
		for (const key of ["4", "5"]) await read(key, person(1, 2));
		await read("6", person(1, 3));
		await expect(made("7", person(1, 3), large)).rejects.toMatchObject({ code: "unavailable" });
		await read("8", person(2, 1));
		gate.resolve();
		expect((await Promise.all(readings)).length).toBe(6);
		expect(await made("9", person(1, 1), large)).toBe("made 9");
	});

	test("is no longer created when the last caller who waits for it has gone", async () => {
		const { request, made, begun, settled } = scene();
		const [first, second] = [new AbortController(), new AbortController()];
		const one = request("clip", person(1, 1), { signal: first.signal });
		const other = request("clip", person(1, 2), { signal: second.signal });
		await settled();
		first.abort(new Error("first gone"));
		await expect(one).rejects.toThrow("first gone");
		await settled();
		expect(begun).toEqual(["clip"]);
		second.abort(new Error("second gone"));
		await expect(other).rejects.toThrow("second gone");
		expect(await made("clip", person(1, 1))).toBe("made clip");
		expect(begun).toEqual(["clip", "clip"]);
	});

	test("that could not be created is tried again by the next call", async () => {
		const { excerpts, made } = scene();
		const call: ExcerptCall = { kind: "long", key: "clip", maxBytes: 1, signal: HERE };
		const failing = async (): Promise<never> => {
			throw new Error("ffmpeg failed");
		};
		await expect(excerpts.use(person(1), call, failing, async () => undefined)).rejects.toThrow("ffmpeg failed");
		expect(await made("clip", person(1))).toBe("made clip");
	});
});
