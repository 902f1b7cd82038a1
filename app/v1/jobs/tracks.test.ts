import { readFile } from "node:fs/promises";
import { request } from "node:http";
import type { AppendedTrack, TrackLine } from "@tapedeck/contract/track.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const NDJSON = { "content-type": "application/x-ndjson" };
const T0 = Date.parse("2026-11-21T01:12:00.000Z");
const at = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();
const line = (seconds: number, text: string, more: object = {}): string =>
	`${JSON.stringify({ at: at(seconds), text, ...more })}\n`;

let runners = 0;
let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4"));
});
afterAll(removeTestFolder);

onOneDatabase((api) => {
	const start = async (): Promise<string> => {
		const { runnerId } = await api().signIn(`tracks-${runners++}`);
		const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
		return `/v1/jobs/${(await api().call("POST", "/v1/jobs", { body })).body.id}/tracks`;
	};
	/** A job whose first frame was captured at T0. */
	const startAtT0 = async (): Promise<string> => {
		const path = await start();
		const jobId = Number(path.split("/")[3]);
		await api().app.db.updateTable("job").set({ startedAt: T0 }).where("id", "=", jobId).execute();
		return path;
	};
	const append = (path: string, raw: string | Uint8Array) => api().call("POST", path, { raw, headers: NDJSON });
	const read = async (path: string): Promise<TrackLine[]> => {
		const { status, body } = await api().call("GET", path);
		expect(status, JSON.stringify(body)).toBe(200);
		return body.data;
	};
	const texts = async (path: string) => (await read(path)).map(({ text }) => text);

	test("a line whose data is nested thousands of levels deep is refused with a sentence, and the others are stored", async () => {
		const path = await startAtT0();
		const deep = `{"at":"${at(1)}","text":"deep","data":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}\n`;
		const { status, body } = await append(`${path}/log`, line(0, "before") + deep + line(2, "after"));
		expect([status, body.refused, body.faults[0]?.message]).toEqual([200, 1, "Send data with at most 1000 levels."]);
		expect(await texts(`${path}/log`)).toEqual(["before", "after"]);
	});

	test("lines are stored with their times, levels and data, and read by time, whatever the order they arrive in", async () => {
		const path = await startAtT0();
		const first = line(2, "second", { level: "warning", data: { status: 500 } }) + line(1, "first");
		const answer = await append(`${path}/log`, first);
		expect([answer.status, answer.body]).toEqual([
			200,
			{
				...{ name: "log", kind: "log", lines: 2, bytes: expect.any(Number), received: first.length },
				...{ firstAt: at(1), lastAt: at(2), refused: 0, faults: [] },
			},
		]);
		await append(`${path}/log`, `${JSON.stringify({ offsetMs: -500, text: "before" })}\n${line(3, "last")}`);
		expect(await read(`${path}/log`)).toEqual([
			{ line: 3, at: at(-0.5), offsetSeconds: -0.5, text: "before", level: null, data: null },
			{ line: 2, at: at(1), offsetSeconds: 1, text: "first", level: null, data: null },
			{ line: 1, at: at(2), offsetSeconds: 2, text: "second", level: "warn", data: { status: 500 } },
			{ line: 4, at: at(3), offsetSeconds: 3, text: "last", level: null, data: null },
		]);
		await append(`${path}/console.chrome`, line(1, "x"));
		const { body } = await api().call("GET", path);
		expect(body.data.map(({ name, kind, lines }: AppendedTrack) => [name, kind, lines])).toEqual([
			["console.chrome", "console", 1],
			["log", "log", 4],
		]);
	});

	test("a stretch, a text, the severe lines and each page are read, forwards and backwards, without the rest", async () => {
		const path = `${await startAtT0()}/log`;
		const lines = Array.from({ length: 3_000 }, (_, n) =>
			line(n / 10, `${n} ${"x".repeat(100)}`, n % 1_000 === 7 ? { level: "error" } : { level: "info" }),
		);
		await append(path, lines.join(""));
		const numbers = async (query: string) =>
			(await texts(`${path}?${query}`)).map((text) => Number(text.split(" ")[0]));
		expect(await numbers("from=100&to=100.35")).toEqual([1000, 1001, 1002, 1003]);
		expect(await numbers("from=100&to=100.35&order=desc&limit=2")).toEqual([1003, 1002]);
		expect(await numbers("level=warn")).toEqual([7, 1007, 2007]);
		expect(await numbers("q=1234%20X")).toEqual([1234]);
		for (const order of ["asc", "desc"]) {
			const seen: number[] = [];
			let cursor: string | null = "";
			do {
				const page: { body: { data: TrackLine[]; nextCursor: string | null } } = await api().call(
					"GET",
					`${path}?order=${order}&limit=700${cursor === "" ? "" : `&cursor=${cursor}`}`,
				);
				seen.push(...page.body.data.map(({ line }) => line));
				cursor = page.body.nextCursor;
			} while (cursor !== null);
			const all = Array.from({ length: 3_000 }, (_, n) => n + 1);
			expect(seen).toEqual(order === "asc" ? all : all.reverse());
		}
		expect((await api().call("GET", `${path}?cursor=nonsense`)).body.errors[0].path).toBe("cursor");
	});

	test("the same bytes again change nothing, an overlap adds what is new, and a gap is refused with what is expected", async () => {
		const path = `${await startAtT0()}/log`;
		const [one, two] = [line(1, "one"), line(2, "two")];
		await append(`${path}?from=0`, one);
		expect((await append(`${path}?from=0`, one)).body).toMatchObject({ lines: 1, received: one.length });
		expect((await append(`${path}?from=0`, one + two)).body.lines).toBe(2);
		const gap = await append(`${path}?from=1000`, line(3, "three"));
		const expected = one.length + two.length;
		expect([gap.status, gap.body.errors]).toEqual([
			409,
			[{ path: "from", code: "expected", message: `Send from=${expected}.` }],
		]);
		expect(await texts(path)).toEqual(["one", "two"]);
		expect((await append(path, "")).body.received).toBe(expected);
	});

	test("one of two callers that write a track at once wins and the other is refused", async () => {
		const path = `${await startAtT0()}/log`;
		const bodies = ["a", "b"].map((who) =>
			Array.from({ length: 2_000 }, (_, n) => line(n, `${who} ${"x".repeat(100)}`)).join(""),
		);
		const answers = await Promise.all(bodies.map((body) => append(`${path}?from=0`, body)));
		const won = answers.filter(({ status }) => status === 200);
		const lost = answers.filter(({ status }) => status === 409);
		expect([won.length, lost.length]).toEqual([1, 1]);
		expect((await api().call("GET", path.replace("/log", ""))).body.data[0].lines).toBe(2_000);
		expect(new Set((await texts(`${path}?limit=1000`)).map((text) => text[0])).size).toBe(1);
	});

	test("an entry that is not a line is refused by its number, and the others stay", async () => {
		const path = `${await startAtT0()}/log`;
		const raw = Buffer.concat([
			Buffer.from(`{"at": "yesterday", "text": "x"}\nnot JSON\n[1]\n${line(1, "good")}\n{"text":"no time"}\n`),
			Buffer.from('{"offsetMs": 2000, "text": "\xff\xfe caf\xe9"}\n', "latin1"),
			Buffer.from(line(3, "\u0000a\u001b[2Jb\u001b[31mred\u001b[0m\rc\u0007")),
			Buffer.from(line(4, "without line end").trimEnd()),
		]);
		const { body } = await append(path, raw);
		expect([body.lines, body.refused]).toEqual([4, 4]);
		expect(body.faults.map((fault: { line: number }) => fault.line)).toEqual([1, 2, 3, 6]);
		for (const { message } of body.faults) expect(message).toMatch(/^Send .*\.$/);
		expect(await texts(path)).toEqual([
			"good",
			"\ufffd\ufffd caf\ufffd",
			"ab\u001b[31mred\u001b[0m\nc",
			"without line end",
		]);
	});

	test("a line of a gigabyte is cut and says so, in bounded memory, and the lines around it stay", async () => {
		const path = `${await startAtT0()}/log`;
		const megabytes = api().app.dialect === "sqlite" ? 1_024 : 64;
		const before = process.memoryUsage().rss;
		let peak = before;
		const status = await new Promise<number>((resolve, reject) => {
			const req = request(`${api().url}${path}`, {
				method: "POST",
				headers: { ...NDJSON, authorization: `Bearer ${TEST_API_KEY}` },
			});
			req.on("response", (res) => res.resume().on("end", () => resolve(res.statusCode ?? 0))).on("error", reject);
			const piece = Buffer.from("é\\u0041".repeat(2 ** 20 / 8));
			req.write(`${line(1, "before")}{"text": "`);
			let sent = 0;
			const send = () => {
				while (sent < megabytes) {
					sent += 1;
					peak = Math.max(peak, process.memoryUsage().rss);
					if (!req.write(piece)) return void req.once("drain", send);
				}
				req.end(`", "offsetMs": 2000, "level": "error"}\n${line(3, "after")}`);
			};
			send();
		});
		expect(status).toBe(200);
		const lines = await read(path);
		expect(lines.map(({ level, offsetSeconds }) => [level, offsetSeconds])).toEqual([
			[null, 1],
			["error", 2],
			[null, 3],
		]);
		expect(lines[1]?.text).toMatch(/^(éA)+é? … \(cut: longer than 16 KiB\)$/);
		expect(Buffer.byteLength(lines[1]?.text ?? "")).toBeLessThanOrEqual(16 * 1024);
		expect(peak - before).toBeLessThan(300 * 2 ** 20);
	}, 120_000);

	test("a job has 16 tracks of 64 MiB, the rest is refused, and what fitted stays", async () => {
		const path = await startAtT0();
		for (let n = 0; n < 16; n += 1) expect((await append(`${path}/t${n}`, line(1, "x"))).status).toBe(200);
		const seventeenth = await append(`${path}/t16`, line(1, "x"));
		expect([seventeenth.status, seventeenth.body.errors[0].message]).toEqual([
			422,
			expect.stringContaining("16 tracks"),
		]);
		await api()
			.app.db.updateTable("track")
			.set({ bytes: 64 * 2 ** 20 - 150 })
			.where("name", "=", "t0")
			.where("jobId", "=", Number(path.split("/")[3]))
			.execute();
		const full = await append(`${path}/t0`, [2, 3, 4, 5, 6].map((n) => line(n, "x".repeat(20))).join(""));
		expect([full.status, full.body.detail]).toEqual([413, expect.stringContaining("64 MiB")]);
		expect(await texts(`${path}/t0`)).toEqual(["x", "x".repeat(20), "x".repeat(20)]);
	});

	test("a time that has not come yet is the time of arrival, and offsets wait for the first frame", async () => {
		const path = `${await start()}/log`;
		const later = `${JSON.stringify({ at: new Date(Date.now() + 3_600_000).toISOString(), text: "ahead" })}\n`;
		const { body } = await append(path, `${later}{"offsetMs": 0, "text": "x"}\n`);
		expect(body.faults).toEqual([{ line: 2, message: expect.stringContaining("has not begun") }]);
		const [ahead] = await read(path);
		expect(Date.parse(ahead?.at ?? "")).toBeLessThan(Date.now() + 6_000);
		expect(ahead?.offsetSeconds).toBe(null);
		expect((await api().call("GET", `${path}?from=1`)).body.errors[0].path).toBe("from");
	});

	test("a runner sends tracks of the jobs that it holds, with its clock's error, and of no others", async () => {
		const dashboard = { url: api().url, runnerToken: TEST_RUNNER_TOKEN, api: connect(api().url, TEST_API_KEY) };
		const runner = await scriptRunner(dashboard, `holder-${runners++}`);
		const jobId = await runner.record("Held");
		const sent = await runner.sendTrack(jobId, "log", line(1, "from the runner"));
		expect(sent.status).toBe(200);
		expect(await texts(`/v1/jobs/${jobId}/tracks/log`)).toEqual(["from the runner"]);
		await runner.sendTrack(jobId, "log", line(1, "an hour behind"), "?clockShiftMs=3600000");
		expect((await read(`/v1/jobs/${jobId}/tracks/log`)).map((each) => each.at)).toEqual([at(1), at(3_601)]);
		const other = (await start()).split("/")[3];
		expect((await runner.sendTrack(Number(other), "log", line(1, "x"))).status).toBe(403);
		await runner.stop();
	});

	test("a body that broke off is sent again, and no line is lost or stored twice", async () => {
		const path = await startAtT0();
		const whole = line(1, "whole");
		await new Promise<void>((resolve) => {
			const req = request(`${api().url}${path}/log`, {
				method: "POST",
				headers: { ...NDJSON, authorization: `Bearer ${TEST_API_KEY}` },
			});
			req.on("error", () => resolve()).on("close", resolve);
			req.write(`${whole}{"at": "`, () => req.destroy());
		});
		// Refused while the first is still being stored.
		const again = () => append(`${path}/log?from=0`, whole + line(2, "rest"));
		await expect.poll(async () => (await again()).status, { timeout: 10_000 }).toBe(200);
		expect(await texts(`${path}/log`)).toEqual(["whole", "rest"]);
	});

	test("tracks are in the zip beside the video, hidden in the trash, and gone with the recording's files", async () => {
		const dashboard = { url: api().url, runnerToken: TEST_RUNNER_TOKEN, api: connect(api().url, TEST_API_KEY) };
		const runner = await scriptRunner(dashboard, `beside-${runners++}`);
		const jobId = await runner.record("Beside");
		const path = `/v1/jobs/${jobId}/tracks`;
		const lines = Array.from({ length: 2_000 }, (_, n) => line(n, `${n} ${"x".repeat(60)}`)).join("");
		await append(`${path}/log`, lines);
		expect(await runner.send(jobId, 0, video, video.length)).toBe(204);
		await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		await runner.stop();
		const ended = await api().call("GET", `/v1/jobs/${jobId}?waitFor=playable`);
		const { id } = ended.body.recording;
		const zip = await fetch(`${api().url}/v1/recordings/download?id=${id}`, {
			headers: { authorization: `Bearer ${TEST_API_KEY}` },
		});
		const bytes = Buffer.from(await zip.arrayBuffer());
		expect(bytes.length).toBe(Number(zip.headers.get("content-length")));
		expect(bytes.includes(".log.ndjson")).toBe(true);
		// Stored in the zip as it is.
		expect(bytes.includes(lines)).toBe(true);
		expect((await api().call("DELETE", `/v1/recordings/${id}`)).status).toBe(204);
		expect((await api().call("GET", path)).status).toBe(410);
		expect((await append(`${path}/log`, line(1, "late"))).status).toBe(410);
		await api().call("POST", `/v1/deleted-recordings/${id}/restore`);
		expect((await api().call("GET", path)).body.data[0].lines).toBe(2_000);
		await api().call("DELETE", `/v1/recordings/${id}`);
		await api().call("DELETE", `/v1/deleted-recordings/${id}`);
		expect((await api().call("GET", path)).status).toBe(410);
		const rows = api().app.db.selectFrom("track").select("id").where("jobId", "=", jobId);
		expect(await rows.execute()).toEqual([]);
	});

	test("tracks count to the organization's use as they are stored, until they are deleted", async () => {
		const path = await startAtT0();
		const jobId = Number(path.split("/")[3]);
		const used = async () =>
			(await api().app.db.selectFrom("organizationUse").select("bytes").executeTakeFirst())?.bytes ?? 0;
		const before = await used();
		await append(`${path}/log`, Array.from({ length: 1_000 }, (_, n) => line(n, `${Math.random()}`)).join(""));
		expect(await used()).toBeGreaterThan(before + 1_000);
		await api().app.db.deleteFrom("track").where("jobId", "=", jobId).execute();
		expect(await used()).toBe(before);
	});
});
