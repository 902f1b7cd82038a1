/** Unfinished uploads on a real server: what 24 hours without a byte do, and what does not end an upload. */
import { readdir, readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { type Person, signIn } from "#test/api-people.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { metadata } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { sweepUploads } from "./sweep-uploads.ts";
import { UnfinishedUploads } from "./unfinished-uploads.ts";

const HOUR_MS = 3_600_000;
const TUS = { "tus-resumable": "1.0.0" };
const BYTES = { ...TUS, "content-type": "application/offset+octet-stream" };

let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4"));
});
afterAll(removeTestFolder);

onEachDatabase((api) => {
	const realNow = Date.now;
	let later = 0;
	beforeAll(() => {
		api().app.clock.now = () => realNow() + later;
		api().app.quotas.organizationBytes = 100_000_000;
	});
	afterEach(() => {
		later = 0;
	});

	const begin = async () => {
		const headers = {
			...TUS,
			"upload-length": String(video.length),
			"upload-metadata": metadata({ name: "Test run" }),
		};
		const { status, headers: answered } = await api().call("POST", "/v1/uploads", { headers });
		expect(status).toBe(201);
		return answered.get("location") ?? "";
	};
	const patch = (path: string, from: number, to: number) =>
		api().call("PATCH", path, { headers: { ...BYTES, "upload-offset": String(from) }, raw: video.subarray(from, to) });
	const head = (path: string) => api().call("HEAD", path, { headers: TUS });
	const passHours = async (hours: number) => {
		later += hours * HOUR_MS;
		await sweepUploads(contextFor(api().app, { kind: "system", organizationId: 0 }));
	};
	const usedBytes = async () => (await api().call("GET", "/v1/storage")).body.usedBytes;
	const filesOf = async (path: string) =>
		(await readdir(api().app.videoFiles.dir)).filter((name) => name.startsWith(path.split("/").at(-1) ?? "?"));
	const stateOf = async (path: string) => {
		const rows = api().app.db.selectFrom("recording").select("state");
		return (await rows.where("uploadId", "=", path.split("/").at(-1) ?? "").executeTakeFirst())?.state;
	};

	test("after 24 hours without a byte, an unplayable upload is deleted with its file and quota reservation", async () => {
		const before = await usedBytes();
		const [silent, empty] = [await begin(), await begin()];
		await patch(silent, 0, 300);
		expect(await usedBytes()).toBe(before + 2 * video.length);
		await passHours(23);
		expect(await stateOf(silent)).toBe("live");
		expect(await usedBytes()).toBe(before + 2 * video.length);
		await passHours(2);
		expect([await stateOf(silent), await filesOf(silent), await filesOf(empty)]).toEqual([undefined, [], []]);
		expect(await usedBytes()).toBe(before);
	});

	test("a client that returns too late learns that the upload was removed and to start a new one", async () => {
		const path = await begin();
		await patch(path, 0, 300);
		await passHours(25);
		expect((await head(path)).status).toBe(404);
		const { status, body } = await patch(path, 300, 600);
		expect([status, body]).toEqual([
			404,
			"Upload not found. It was removed, or received no bytes for 24 hours. Start a new upload.\n",
		]);
	});

	test("an upload that still receives bytes is kept, however old it is, and can be finished", async () => {
		const path = await begin();
		const step = Math.ceil(video.length / 4);
		for (let at = 0; at < 3; at++) {
			expect((await patch(path, at * step, (at + 1) * step)).status).toBe(204);
			// The row follows its upload within a second, by the server's real clock.
			await expect.poll(() => bytesOf(path), { interval: 20 }).toBe((at + 1) * step);
			await passHours(20);
			expect(await stateOf(path)).toBe("live");
		}
		expect((await patch(path, 3 * step, video.length)).status).toBe(204);
		expect(await stateOf(path)).toBe("ready");
	});
	const bytesOf = async (path: string) => {
		const rows = api().app.db.selectFrom("recording").select("bytes");
		return (await rows.where("uploadId", "=", path.split("/").at(-1) ?? "").executeTakeFirst())?.bytes;
	};

	test("the playable part of an unfinished upload stays as a partial recording, and the client can still finish it", async () => {
		const path = await begin();
		const half = Math.ceil(video.length / 2);
		await patch(path, 0, half);
		await expect.poll(() => bytesOf(path), { interval: 20 }).toBe(half);
		// The row's last change may come after the hours have passed, and they count from there.
		const stateADayLater = async () => {
			await passHours(25);
			return stateOf(path);
		};
		await expect.poll(stateADayLater, { interval: 20 }).toBe("partial");
		expect((await head(path)).headers.get("upload-offset")).toBe(String(half));
		expect((await patch(path, half, video.length)).status).toBe(204);
		expect(await stateOf(path)).toBe("ready");
	});

	test("changing your own name does not end your upload in progress", async () => {
		const person = await signIn(api());
		const headers = { ...TUS, "upload-length": String(video.length), "upload-metadata": metadata({ name: "Mine" }) };
		const path = (await person.call("POST", "/v1/uploads", { headers })).headers.get("location") ?? "";
		const answered = Promise.withResolvers<number | string | undefined>();
		const sending = request(api().url + path, {
			method: "PATCH",
			headers: {
				...BYTES,
				"upload-offset": 0,
				"content-length": video.length,
				cookie: person.cookie(),
				origin: api().url,
			},
		});
		sending.on("response", ({ statusCode }) => answered.resolve(statusCode));
		sending.on("error", (error: NodeJS.ErrnoException) => answered.resolve(error.code));
		sending.write(video.subarray(0, 1_000));
		await expect.poll(() => stateOf(path), { interval: 20 }).toBe("live");
		expect((await person.call("PATCH", "/v1/me", { body: { name: "Ada Byron" } })).status).toBe(204);
		// When credentials change, the server authenticates the caller again.
		const key = await person.call("POST", "/v1/api-keys", {
			body: { name: "x", scopes: ["jobs:read"], expiresAt: null },
		});
		expect((await person.call("DELETE", `/v1/api-keys/${key.body.id}`)).status).toBe(204);
		sending.end(video.subarray(1_000));
		expect(await answered.promise).toBe(204);
		expect(await stateOf(path)).toBe("ready");
	});

	test("only known keys of the metadata are kept, without long values", async () => {
		const { dir } = api().app.videoFiles;
		const junk = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, "x".repeat(100)]));
		const fields = {
			...junk,
			filename: "f".repeat(3_000),
			filetype: `video/mp4; x=${"y".repeat(3_000)}`,
			name: "Kept",
		};
		const headers = { ...TUS, "upload-length": "1000", "upload-metadata": metadata(fields) };
		const { status, headers: answered } = await api().call("POST", "/v1/uploads", { headers });
		expect(status).toBe(201);
		const path = answered.get("location") ?? "";
		const id = path.split("/").at(-1) ?? "";
		const record = await readFile(join(dir, `${id}.json`), "utf8");
		expect(JSON.parse(record).metadata).toEqual({ name: "Kept" });
		expect(record.length).toBeLessThan(500);
		expect((await head(path)).headers.get("upload-metadata")).toBe(metadata({ name: "Kept" }));
		const short = {
			...TUS,
			"upload-length": "1000",
			"upload-metadata": metadata({ filename: "a.mp4", filetype: "video/mp4", other: "x" }),
		};
		const second = (await api().call("POST", "/v1/uploads", { headers: short })).headers.get("location") ?? "";
		expect((await head(second)).headers.get("upload-metadata")).toBe(
			metadata({ name: "a.mp4", filename: "a.mp4", filetype: "video/mp4" }),
		);
		for (const each of [path, second]) expect((await api().call("DELETE", each, { headers: TUS })).status).toBe(204);
	});

	test("a caller has at most 100 unfinished uploads, and finishing or deleting one makes room; others are not concerned", async () => {
		const person = await signIn(api());
		const create = (by: Pick<Person, "call"> = person) =>
			by.call("POST", "/v1/uploads", { headers: { ...TUS, "upload-length": String(video.length) } });
		const answers = await Promise.all(Array.from({ length: 130 }, () => create()));
		const created = answers.filter(({ status }) => status === 201);
		expect(created).toHaveLength(100);
		const refused = answers.filter(({ status }) => status !== 201);
		expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
		expect(refused[0]?.body).toMatch(/^You have 100 unfinished uploads\. Finish them, or delete them/);
		const [first = "", second = "", third = ""] = created.map(({ headers }) => headers.get("location") ?? "");
		expect((await person.call("DELETE", first, { headers: TUS })).status).toBe(204);
		expect((await create()).status).toBe(201);
		expect((await create()).status).toBe(429);
		const finishing = { ...BYTES, "upload-offset": "0" };
		expect((await person.call("PATCH", second, { headers: finishing, raw: video })).status).toBe(204);
		expect((await create()).status).toBe(201);
		expect((await create()).status).toBe(429);
		// An API key of the organization, and its runners.
		expect((await create(api())).status).toBe(201);
		// An upload that is refused for another reason takes no place.
		expect((await person.call("DELETE", third, { headers: TUS })).status).toBe(204);
		api().app.quotas.uploadBytes = 10;
		for (let count = 0; count < 3; count++) expect((await create()).status).toBe(413);
		api().app.quotas.uploadBytes = 0;
		api().app.quotas.organizationBytes = 1;
		for (let count = 0; count < 3; count++) expect((await create()).status).toBe(507);
		api().app.quotas.organizationBytes = 100_000_000;
		expect((await create()).status).toBe(201);
		// A process that has just started counts those of earlier ones.
		const later = new UnfinishedUploads(api().app);
		const owner = { organizationId: 1, kind: "user", id: person.userId, jobId: null } as const;
		await expect(later.begin("0".repeat(32), owner)).rejects.toMatchObject({ status: 429 });
		await later.begin("0".repeat(32), { ...owner, id: 99 });
		// Uploads that the sweep removes free space as well.
		await passHours(25);
		expect((await create()).status).toBe(201);
	});
});
