/**
 * Random calls against a plain model of the protocol: what an answer said is what is stored, whatever it sends, wherever
 * connections break, and across restarts.
 */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { onEachStorage } from "#test/each-storage.ts";
import type { Answer, TestRecordings } from "#test/recordings.ts";
import { metadata, TUS } from "#test/tus-client.ts";

const CHUNK = { ...TUS, "content-type": "application/offset+octet-stream" };

/** The bytes of every upload of these tests: each position has its own. */
function bytesAt(offset: number, count: number): Buffer {
	const bytes = Buffer.alloc(Math.max(0, count));
	for (let at = 0; at < count; at += 1) bytes[at] = (offset + at) * 7 + ((offset + at) >> 8);
	return bytes;
}

/** An upload as the protocol has it. */
type Stored = { offset: number; size: number | undefined };
type Kind = "job" | "file";
/** A declared length of 0 ends a job: what is not an upload of these tests. */
const SMALLEST = { job: 1, file: 0 };

const count = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 1, 64 * 1024, 200_000));
const kind = fc.constantFrom<Kind>("job", "file");
/** Relative to where the upload ends after the call. */
const length = fc.option(fc.constantFrom(0, 0, 1, 5_000, -1, -100_000), { freq: 3, nil: undefined });
const step = fc.oneof(
	fc.record({ do: fc.constant("create" as const), kind, bytes: fc.option(count, { nil: undefined }), length }),
	...[1, 2, 3].map(() =>
		fc.record({
			do: fc.constant("patch" as const),
			...{ kind, bytes: count, length },
			shift: fc.oneof({ arbitrary: fc.constant(0), weight: 8 }, { arbitrary: fc.constantFrom(-1, 1, 500), weight: 2 }),
			isChunked: fc.boolean(),
		}),
	),
	fc.record({ do: fc.constantFrom("head" as const, "delete" as const, "restart" as const), kind }),
	fc.record({ do: fc.constant("race" as const), kind, bytes: fc.tuple(count, count, count) }),
	fc.record({ do: fc.constant("break" as const), kind, bytes: count }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Of<D extends Step["do"]> = Extract<Step, { do: D }>;

class Run {
	readonly #t: TestRecordings;
	readonly #jobId: number;
	readonly #paths: Record<Kind, string>;
	readonly #stored: Record<Kind, Stored | null> = { job: null, file: null };

	constructor(t: TestRecordings, jobId: number) {
		this.#t = t;
		this.#jobId = jobId;
		this.#paths = { job: `/v1/uploads/job-${jobId}`, file: `/v1/uploads/${"0".repeat(32)}` };
	}

	async take(step: Step): Promise<void> {
		if (step.do === "create") await this.#create(step);
		else if (step.do === "patch") await this.#patch(step);
		else if (step.do === "delete") await this.#delete(step.kind);
		else if (step.do === "race") await this.#race(step);
		else if (step.do === "break") await this.#break(step);
		else if (step.do === "restart") this.#t.restart();
		await this.check(step.kind);
	}

	/** HEAD says what the model has, and that is what is on the disk. */
	async check(kind: Kind): Promise<void> {
		const stored = this.#stored[kind];
		const { status, headers } = await this.#call(kind, "HEAD", this.#paths[kind], TUS);
		expect([status, headers["upload-offset"], headers["upload-length"], headers["upload-defer-length"]]).toEqual(
			stored === null
				? [404, undefined, undefined, undefined]
				: [200, String(stored.offset), stored.size?.toString(), stored.size === undefined ? "1" : undefined],
		);
		// A complete recording may be in the bucket.
		if (stored === null || stored.offset === stored.size) return;
		const file = await readFile(join(this.#t.videosDir, this.#paths[kind].split("/").at(-1) ?? "?"));
		expect(file.equals(bytesAt(0, stored.offset))).toBe(true);
	}

	async #create({ kind, bytes, length }: Of<"create">): Promise<void> {
		if (kind === "file") await this.end();
		const size = length === undefined ? undefined : Math.max(SMALLEST[kind], (bytes ?? 0) + length);
		const answer = await this.#call(
			...([kind, "POST", "/v1/uploads"] as const),
			{
				...(bytes === undefined ? TUS : CHUNK),
				...(size === undefined ? { "upload-defer-length": 1 } : { "upload-length": size }),
				...(kind === "job" ? { "upload-metadata": metadata({ jobId: this.#jobId }) } : {}),
			},
			bytes === undefined ? undefined : bytesAt(0, bytes),
		);
		if (size !== undefined && (bytes ?? 0) > size) return expect(answer.status).toBe(413);
		if (kind === "file" && size === 0) return expect(answer.status).toBe(422);
		if (kind === "job" && (this.#stored.job?.offset ?? 0) > 0) return expect(answer.status).toBe(409);
		const upload = { offset: bytes ?? 0, size };
		// A complete upload that is no video is deleted, unless it belongs to a job.
		if (kind === "file" && upload.offset === size) return expect(answer.status).toBe(422);
		expect([answer.status, answer.headers["upload-offset"]]).toEqual([201, bytes?.toString()]);
		this.#paths[kind] = answer.headers.location ?? "";
		this.#stored[kind] = upload;
	}

	async #patch({ kind, bytes, length, shift, isChunked }: Of<"patch">): Promise<void> {
		const stored = this.#stored[kind];
		const offset = (stored?.offset ?? 0) + shift;
		const size = length === undefined ? undefined : Math.max(SMALLEST[kind], offset + bytes + length);
		const answer = await this.#call(
			...([kind, "PATCH", this.#paths[kind]] as const),
			{
				...{ ...CHUNK, "upload-offset": offset },
				...(size === undefined ? {} : { "upload-length": size }),
				...(isChunked ? { "transfer-encoding": "chunked" } : {}),
			},
			bytesAt(offset, bytes),
		);
		if (offset < 0) return expect(answer.status).toBe(400);
		if (stored === null) return expect(answer.status).toBe(404);
		if (offset !== stored.offset) return expect(answer.status).toBe(409);
		if (size !== undefined && (stored.size !== undefined || size < offset)) return expect(answer.status).toBe(400);
		const most = (stored.size ?? size ?? Number.POSITIVE_INFINITY) - offset;
		if (bytes > most) {
			expect(answer.status).toBe(413);
			// One that did not announce its bytes has stored and declared what was right until then.
			if (isChunked) await this.#adopt(kind, stored.size ?? size);
			return;
		}
		const upload = { offset: offset + bytes, size: stored.size ?? size };
		const isRefused = kind === "file" && upload.offset === upload.size;
		expect([answer.status, answer.headers["upload-offset"]]).toEqual(
			isRefused ? [422, undefined] : [204, String(upload.offset)],
		);
		this.#stored[kind] = isRefused ? null : upload;
	}

	/** Takes from the server how much of a refused request it has stored. */
	async #adopt(kind: Kind, size: number | undefined): Promise<void> {
		const before = this.#stored[kind]?.offset ?? 0;
		const { headers, status } = await this.#call(kind, "HEAD", this.#paths[kind], TUS);
		if (status !== 200) return this.#gone(kind);
		const offset = Number(headers["upload-offset"]);
		expect(offset).toBeGreaterThanOrEqual(before);
		expect(offset).toBeLessThanOrEqual(size ?? Number.POSITIVE_INFINITY);
		this.#stored[kind] = { offset, size };
	}

	/** HEAD has finished what turned out to be complete, and no video. */
	#gone(kind: Kind): void {
		expect(kind).toBe("file");
		this.#stored[kind] = null;
	}

	async #delete(kind: Kind): Promise<void> {
		const stored = this.#stored[kind];
		const { status } = await this.#call(kind, "DELETE", this.#paths[kind], TUS);
		if (stored === null) return expect(status).toBe(404);
		if (stored.offset === stored.size) return expect(status).toBe(400);
		expect(status).toBe(204);
		this.#stored[kind] = null;
	}

	/** Requests for the same offset at once: each is stored or refused as a whole, and none overwrites another. */
	async #race({ kind, bytes }: Of<"race">): Promise<void> {
		const stored = this.#stored[kind];
		if (stored === null || stored.size !== undefined) return;
		const headers = { ...CHUNK, "upload-offset": stored.offset };
		const answers = await Promise.all(
			bytes.map((count) => this.#call(kind, "PATCH", this.#paths[kind], headers, bytesAt(stored.offset, count))),
		);
		const ends = answers.filter(({ status }) => status === 204).map(({ headers }) => Number(headers["upload-offset"]));
		for (const { status } of answers) expect([204, 409]).toContain(status);
		// Exactly one of these requests stored a byte: it changed the offset.
		const moved = ends.filter((end) => end > stored.offset);
		expect(moved.length).toBeLessThanOrEqual(1);
		if (Math.min(...bytes) > 0) expect(moved).toHaveLength(1);
		stored.offset = moved[0] ?? stored.offset;
	}

	/** A connection that breaks: what arrived is stored. */
	async #break({ kind, bytes }: Of<"break">): Promise<void> {
		const stored = this.#stored[kind];
		if (stored === null || stored.size !== undefined) return;
		const arrived = once(this.#t.server, "request") as Promise<[IncomingMessage]>;
		const sending = request({
			...{ port: this.#t.port, host: "127.0.0.1", path: this.#paths[kind], method: "PATCH", agent: false },
			headers: { ...CHUNK, "x-as": as(kind), "upload-offset": stored.offset, "content-length": bytes + 1 },
		});
		sending.on("error", () => {});
		sending.flushHeaders();
		const [req] = await arrived;
		const isOver = new Promise((resolve) => req.once("close", resolve));
		await new Promise<unknown>((resolve) => sending.write(bytesAt(stored.offset, bytes), resolve));
		sending.destroy();
		await isOver;
		stored.offset += bytes;
		const offset = async () =>
			Number((await this.#call(kind, "HEAD", this.#paths[kind], TUS)).headers["upload-offset"]);
		await expect.poll(offset, { interval: 5, timeout: 10_000 }).toBe(stored.offset);
	}

	/** Deletes the file without a job: a caller has a limited number of them. */
	async end(): Promise<void> {
		if (this.#stored.file !== null) await this.#delete("file");
		this.#stored.file = null;
	}

	#call(kind: Kind, method: string, path: string, headers: Record<string, string | number>, body?: Buffer) {
		return this.#t.call(path, { method, headers, body, as: as(kind) }) satisfies Promise<Answer>;
	}
}

const as = (kind: Kind): string => (kind === "job" ? "runner" : "key");

onEachStorage((opened) => {
	let t: TestRecordings;
	beforeEach(() => {
		t = opened().recordings;
	});

	test("calls in any order are answered and stored as the protocol says", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
				const run = new Run(t, await t.addJob());
				for (const step of steps) await run.take(step);
				await run.check("job");
				await run.check("file");
				await run.end();
			}),
			{ numRuns: 60 },
		);
		expect(t.logged.filter((line) => !line.startsWith("a job's video has no playable frames"))).toEqual([]);
	}, 120_000);
});
