/** Recordings that are images, documents and other files, by API. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { variants } from "#test/in-explore.ts";
import { readZip } from "#test/read-zip.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { metadata } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const run = promisify(execFile);
const HTML = "<script>document.title = 'run'</script>";

async function makeImage(format: "png" | "mjpeg" | "gif"): Promise<Buffer> {
	const args = ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=320x180:d=0.04", "-frames:v", "1"];
	const output = format === "gif" ? ["-f", "gif", "pipe:1"] : ["-c:v", format, "-f", "image2pipe", "pipe:1"];
	return (await run("ffmpeg", [...args, ...output], { encoding: "buffer" })).stdout;
}

const PLACES = [
	["SQLite", "disk"],
	["PostgreSQL", "bucket"],
] as const;

describe.each(
	variants(PLACES, ([database]) => database === "SQLite"),
)("on %s, with files in the %s", (database, storage) => {
	let s3: FakeS3;
	let api: TestApi;
	let png: Buffer;
	beforeAll(async () => {
		setFakeCredentials();
		s3 = await startFakeS3();
		api = await startTestApi({
			...(storage === "bucket" ? { TAPEDECK_STORAGE_URL: s3.url } : {}),
			...(database === "PostgreSQL" ? { TAPEDECK_DATABASE_URL: await createPostgresDatabase() } : {}),
		});
		png = await makeImage("png");
	});
	afterAll(async () => {
		await api.stop();
		await s3.stop();
		await removeTestFolder();
	});

	const upload = (query: string, raw: string | Uint8Array, type: string) =>
		api.call("POST", `/v1/recordings?${query}`, { raw, headers: { "content-type": type } });
	async function uploaded(query: string, raw: string | Uint8Array, type: string): Promise<Recording> {
		const { status, body } = await upload(query, raw, type);
		expect(status, JSON.stringify(body)).toBe(201);
		return body;
	}
	const get = (path: string, headers: Record<string, string> = {}) =>
		fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${TEST_API_KEY}`, ...headers } });
	const listed = async (query = ""): Promise<number[]> =>
		(await api.call("GET", `/v1/recordings${query}`)).body.data.map(({ id }: Recording) => id);

	test("lists have only videos unless they ask for kinds, and every kind is searched and filtered alike", async () => {
		const video = await uploaded(
			"name=Video&label=build=9",
			await readFile(await makeVideo("recorder.mp4")),
			"video/mp4",
		);
		const image = await uploaded("name=Shot&kind=image&label=build=9&outcome=failed", png, "image/png");
		const document = await uploaded("name=notes.md&kind=document&label=build=9", "# Notes", "text/markdown");
		const other = await uploaded("name=dump&kind=other&label=build=9", Buffer.alloc(100), "");
		expect(image).toMatchObject({
			kind: "image",
			contentType: "image/png",
			width: 320,
			height: 180,
			durationSeconds: 0,
		});
		expect(document).toMatchObject({ kind: "document", contentType: "text/markdown", width: null, state: "ready" });
		expect(other).toMatchObject({ kind: "other", contentType: "application/octet-stream", bytes: 100 });
		const all = "kind=video&kind=image&kind=document&kind=other";
		const [v, i, d, o] = [video.id, image.id, document.id, other.id];
		expect(await listed()).toEqual([v]);
		expect(await listed("?q=label:build=9")).toEqual([v]);
		expect(await listed(`?${all}`)).toEqual([o, d, i, v]);
		expect(await listed("?kind=image&kind=other")).toEqual([o, i]);
		expect(await listed("?kind=image&kind=document&sort=bytes&order=asc")).toEqual([d, i]);
		expect(await listed(`?${all}&state=ready&verdict=ok`)).toEqual([]);
		expect(await listed(`?${all}&q=outcome:failed`)).toEqual([i]);
		expect(await listed("?kind=document&q=notes")).toEqual([d]);
		expect((await api.call("GET", "/v1/recordings?kind=audio")).status).toBe(422);
		expect(await api.call("PATCH", `/v1/recordings/${i}`, { body: { name: "Renamed", pinned: true } })).toMatchObject({
			status: 200,
			body: { name: "Renamed", pinned: true, kind: "image" },
		});
	});

	test("files are served so that none runs as a page, and an image has a poster and no clips", async () => {
		const image = await uploaded("name=Home page&kind=image", png, "application/octet-stream");
		const whole = await get(`/v1/recordings/${image.id}/video`);
		expect(Buffer.from(await whole.arrayBuffer()).equals(png)).toBe(true);
		expect(Object.fromEntries(whole.headers)).toMatchObject({
			"content-type": "image/png",
			"content-disposition": "inline; filename=\"Home page.png\"; filename*=UTF-8''Home%20page.png",
			"content-security-policy": "default-src 'none'; sandbox",
			"x-content-type-options": "nosniff",
		});
		const part = await get(`/v1/recordings/${image.id}/video`, { range: "bytes=0-9" });
		expect([part.status, Buffer.from(await part.arrayBuffer()).equals(png.subarray(0, 10))]).toEqual([206, true]);
		const poster = await get(`/v1/recordings/${image.id}/poster`);
		expect([poster.status, poster.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
		const clip = await api.call("GET", `/v1/recordings/${image.id}/clip?from=0&to=1`);
		expect(clip).toMatchObject({ status: 404, body: { detail: expect.stringContaining("This is an image") } });

		const page = await uploaded("name=report.html&kind=document", HTML, "text/html");
		const served = await get(`/v1/recordings/${page.id}/video`);
		expect(await served.text()).toBe(HTML);
		expect(served.headers.get("content-type")).toBe("application/octet-stream");
		expect(served.headers.get("content-disposition")).toContain('attachment; filename="report.html"');
		expect((await get(`/v1/recordings/${page.id}/poster`)).status).toBe(404);
		expect((await get(`/v1/recordings/${page.id}/frame?at=0`)).status).toBe(404);
		const pdf = await uploaded("name=manual.pdf&kind=document", "%PDF-1.4", "application/pdf");
		expect(Object.fromEntries((await get(`/v1/recordings/${pdf.id}/video`)).headers)).toMatchObject({
			"content-type": "application/pdf",
			"content-disposition": expect.stringContaining('inline; filename="manual.pdf"'),
			// Chromium shows no PDF in a sandbox, and its viewer is one.
			"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
			"x-frame-options": "SAMEORIGIN",
			"x-content-type-options": "nosniff",
		});
		const saved = await get(`/v1/recordings/${pdf.id}/video?download=1`);
		expect(saved.headers.get("content-disposition")).toContain('attachment; filename="manual.pdf"');
		const svg = await uploaded("name=logo&kind=other", "<svg/>", "image/svg+xml");
		expect((await get(`/v1/recordings/${svg.id}/video`)).headers.get("content-type")).toBe("application/octet-stream");
	});

	test("a file of another kind keeps its bytes, also those of a video", async () => {
		const bytes = await readFile(await makeVideo("recorder.mp4"));
		const torn = Buffer.concat([bytes, Buffer.from([0, 0, 1, 0, 109, 111, 111, 102])]);
		const kept = await uploaded("name=as-is.mp4&kind=other", torn, "video/mp4");
		const served = await get(`/v1/recordings/${kept.id}/video?download=1`);
		expect(Buffer.from(await served.arrayBuffer()).equals(torn)).toBe(true);
		expect(kept).toMatchObject({ bytes: torn.length, durationSeconds: 0 });
	});

	test("a file that is not the image that its type names is refused, and so is every kind that is not asked for", async () => {
		const bad = await upload("name=a&kind=image", "no image", "image/png");
		expect(bad).toMatchObject({ status: 422, body: { detail: expect.stringContaining("not a complete PNG") } });
		expect((await upload("name=a", png, "image/png")).status).toBe(415);
		expect((await upload("name=a", png, "application/octet-stream")).status).toBe(422);
		expect((await upload("name=a&kind=document", "x", "not a type")).status).toBe(415);
		expect((await upload("name=a&kind=audio", "x", "audio/wav")).status).toBe(422);
		const types = [];
		for (const format of ["mjpeg", "gif"] as const)
			types.push((await uploaded(`name=${format}&kind=image`, await makeImage(format), "")).contentType);
		expect(types).toEqual(["image/jpeg", "image/gif"]);
	});

	test("tus takes a file of any kind", async () => {
		const send = (fields: Record<string, string>, body: Uint8Array) =>
			fetch(`${api.url}/v1/uploads`, {
				method: "POST",
				headers: {
					authorization: `Bearer ${TEST_API_KEY}`,
					...{ "tus-resumable": "1.0.0", "upload-length": String(body.length) },
					...{ "upload-metadata": metadata(fields), "content-type": "application/offset+octet-stream" },
				},
				body: new Uint8Array(body),
			});
		const sent = await send({ name: "By tus", kind: "image", filetype: "image/png" }, png);
		const id = Number(sent.headers.get("tapedeck-recording"));
		expect(sent.status, await sent.text()).toBe(201);
		expect((await api.call("GET", `/v1/recordings/${id}`)).body).toMatchObject({
			...{ kind: "image", contentType: "image/png", width: 320, bytes: png.length, state: "ready" },
		});
		expect(Buffer.from(await (await get(`/v1/recordings/${id}/video`)).arrayBuffer()).equals(png)).toBe(true);
		const text = await send({ name: "log.txt", kind: "document", filetype: "text/plain" }, Buffer.from("a line"));
		expect(text.status).toBe(201);
		const refused = await send({ name: "x", kind: "image" }, Buffer.from("no image"));
		expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("not a complete PNG")]);
		const unknown = await send({ name: "x", kind: "audio" }, Buffer.from("x"));
		expect([unknown.status, await unknown.text()]).toEqual([422, expect.stringContaining("video, image, document")]);
	});

	test("a zip, a share link, the trash and the audit log treat an image like a video", async () => {
		const image = await uploaded("name=Cart&kind=image", png, "image/png");
		const zip = await get(`/v1/recordings/download?id=${image.id}`);
		const files = await readZip(Buffer.from(await zip.arrayBuffer()));
		expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/^Cart_.*\.png$/)]);
		expect(files[0]?.content.equals(png)).toBe(true);
		const link = await api.call("POST", `/v1/recordings/${image.id}/links`, { body: { expiresAt: null } });
		const token = new URL(link.body.url).pathname.split("/").at(-1);
		const shared = await fetch(`${api.url}/v1/shared/${token}`);
		expect(await shared.json()).toMatchObject({ name: "Cart", kind: "image", contentType: "image/png" });
		const bytes = await fetch(`${api.url}/v1/shared/${token}/video`);
		expect(Buffer.from(await bytes.arrayBuffer()).equals(png)).toBe(true);
		expect((await api.call("DELETE", `/v1/recordings/${image.id}`)).status).toBe(204);
		expect((await fetch(`${api.url}/v1/shared/${token}/video`)).status).not.toBe(200);
		const restored = await api.call("POST", `/v1/deleted-recordings/${image.id}/restore`, { body: {} });
		expect(restored.status, JSON.stringify(restored.body)).toBe(200);
		expect(Buffer.from(await (await get(`/v1/recordings/${image.id}/video`)).arrayBuffer()).equals(png)).toBe(true);
		const entries = await api.app.db.selectFrom("auditEntry").selectAll().where("targetId", "=", image.id).execute();
		expect(entries.map(({ action }) => action)).toEqual(
			expect.arrayContaining(["recording.uploaded", "recording.deleted", "recording.restored"]),
		);
	});
});
