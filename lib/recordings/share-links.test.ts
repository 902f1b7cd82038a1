/** Playback without signing in: by signed URLs and shared pages. */
import { readFile } from "node:fs/promises";
import { embedSchema, sharedRecordingSchema, shareLinkSchema, signedUrlSchema } from "@tapedeck/contract/link.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4"));
});
afterAll(removeTestFolder);

onOneDatabase((api) => {
	const upload = async (name = "Run"): Promise<number> => {
		const headers = { "content-type": "video/mp4" };
		return (await api().call("POST", `/v1/recordings?name=${name}`, { raw: video, headers })).body.id;
	};
	/** Requests one of our URLs without credentials. */
	const visit = (url: string, method = "GET", headers: Record<string, string> = {}) =>
		api().call(method, url.replace(api().app.baseUrl, ""), { token: null, headers });
	const signed = async (id: number, query = "") =>
		signedUrlSchema.parse((await api().call("GET", `/v1/recordings/${id}/url${query}`)).body);
	const share = async (id: number, expiresAt: string | null = null) => {
		const answer = await api().call("POST", `/v1/recordings/${id}/links`, { body: { expiresAt } });
		expect(answer.status).toBe(201);
		return answer.body;
	};

	test("a recording's links come by pages, the newest first, however many there are", async () => {
		const id = await upload();
		const made: number[] = [];
		for (let count = 0; count < 7; count++) made.unshift((await share(id)).id);
		const found: number[] = [];
		const sizes: number[] = [];
		for (let cursor: string | null = ""; cursor !== null; ) {
			const query: string = `?limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`;
			const { body } = await api().call("GET", `/v1/recordings/${id}/links${query}`);
			found.push(...body.data.map((link: { id: number }) => link.id));
			sizes.push(body.data.length);
			cursor = body.nextCursor;
		}
		expect([found, sizes]).toEqual([made, [3, 3, 1]]);
		const wrong = await api().call("GET", `/v1/recordings/${id}/links?cursor=x`);
		expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, "cursor"]);
	});

	test("a signed URL plays without credentials, with Range, HEAD and ETag, and so does its poster", async () => {
		const id = await upload();
		const before = Date.now();
		const { url, posterUrl, expiresAt } = await signed(id);
		// An hour, in whole seconds.
		expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before - 1_000 + 3_600_000);
		expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 1_000 + 3_600_000);
		const whole = await visit(url);
		expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "video/mp4"]);
		expect(whole.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
		expect((await visit(url, "GET", { range: "bytes=4-7" })).body).toBe("ftyp");
		const head = await visit(url, "HEAD");
		expect([head.status, head.body]).toEqual([200, null]);
		const etag = head.headers.get("etag") ?? "";
		expect((await visit(url, "GET", { "if-none-match": etag })).status).toBe(304);
		expect((await visit(`${url}&download=1`)).headers.get("content-disposition")).toMatch(/^attachment/);
		expect((await visit(posterUrl)).headers.get("content-type")).toBe("image/jpeg");
	});

	test("a signed URL opens only its own recording, and only until it expires", async () => {
		const [one, other] = [await upload(), await upload()];
		const { url } = await signed(one);
		const { searchParams } = new URL(url);
		const expires = Number(searchParams.get("expires"));
		const signature = searchParams.get("signature") ?? "";
		const at = (path: string, later = 0, sign = signature) =>
			visit(`/v1/recordings/${path}?expires=${expires + later}&signature=${sign}`);
		expect((await at(`${one}/video`)).status).toBe(200);
		const first = signature.startsWith("A") ? "B" : "A";
		for (const refused of [
			at(`${other}/video`),
			at(`${one}/video`, 1),
			at(`${one}/video`, 0, `${first}${signature.slice(1)}`),
			at(`${one}/video`, 0, ""),
			at(`${one}`),
			at(`${one}/frame`),
			at(`${one}/live`),
			at(`${one}/url`),
			visit(`/v1/recordings/${one}/video?signature=${signature}`),
		]) {
			expect((await refused).status).toBe(401);
		}
		const remove = await api().call("DELETE", `/v1/recordings/${one}?${searchParams}`, { token: null });
		expect(remove.status).toBe(401);
	});

	test("a signed URL opens its own file only: a poster's does not open the video, nor the other way around", async () => {
		const { url, posterUrl } = await signed(await upload());
		expect((await visit(posterUrl.replace("/poster?", "/video?"))).status).toBe(401);
		expect((await visit(url.replace("/video?", "/poster?"))).status).toBe(401);
		expect((await visit(posterUrl)).status).toBe(200);
	});

	test("a signed URL does not open another recording that was given the same number later", async () => {
		const [id, another] = [await upload(), await upload("Another")];
		const { url, posterUrl } = await signed(id);
		const { uploadId, createdAt } = await api()
			.app.db.deleteFrom("recording")
			.where("id", "=", id)
			.returning(["uploadId", "createdAt"])
			.executeTakeFirstOrThrow();
		// A restore from a backup that is older than the URL gives its id to another recording.
		await api().app.db.updateTable("recording").set({ id }).where("id", "=", another).execute();
		expect((await visit(url)).status).toBe(401);
		expect((await visit((await signed(id)).url)).status).toBe(200);
		// A job's upload is called like the job, whose number may be given out again, too.
		await api()
			.app.db.updateTable("recording")
			.set({ uploadId, createdAt: createdAt + 1 })
			.where("id", "=", id)
			.execute();
		expect((await visit(url)).status).toBe(401);
		expect((await visit(posterUrl)).status).toBe(401);
	});

	test("the audit log names the creator of a signed URL, with the recording and the expiry", async () => {
		const id = await upload("Signed");
		const { expiresAt } = await signed(id);
		const entries = await api()
			.app.db.selectFrom("auditEntry")
			.select(["action", "actorKind", "targetId", "targetName", "detail"])
			.where("action", "=", "link.signed")
			.where("targetId", "=", id)
			.execute();
		expect(entries).toEqual([
			{
				...{ action: "link.signed", actorKind: "apiKey", targetId: id, targetName: "Signed" },
				detail: JSON.stringify({ expiresAt }),
			},
		]);
	});

	test("an expired URL says so; the URL of a deleted recording is not found", async () => {
		const id = await upload();
		const { url } = await signed(id, "?expiresInSeconds=1");
		await expect.poll(async () => (await visit(url)).status).toBe(401);
		expect((await visit(url)).body.detail).toMatch(/^This link expired at /);
		const lasting = await signed(id);
		await api().call("DELETE", `/v1/recordings/${id}`);
		expect((await visit(lasting.url)).status).toBe(404);
		for (const seconds of ["0", "604801", "soon"]) {
			expect((await api().call("GET", `/v1/recordings/${id}/url?expiresInSeconds=${seconds}`)).status).toBe(422);
		}
		expect((await api().call("GET", `/v1/recordings/${id}/url`)).status).toBe(404);
	});

	test("a shared page shows the name and plays the video, and exposes nothing else of the organization", async () => {
		const id = await upload("Checkout");
		const link = await share(id);
		const token = new URL(link.url).pathname.split("/").at(-1) ?? "";
		const answer = await visit(`/v1/shared/${token}`);
		const shown = sharedRecordingSchema.parse(answer.body);
		expect(Object.keys(answer.body).sort()).toEqual(Object.keys(shown).sort());
		expect(shown).toMatchObject({ name: "Checkout", expiresAt: null });
		expect((await visit(shown.videoUrl, "GET", { range: "bytes=4-7" })).body).toBe("ftyp");
		expect((await visit(shown.posterUrl)).headers.get("content-type")).toBe("image/jpeg");
		// Unrelated credentials don't change the response.
		expect((await api().call("GET", `/v1/shared/${token}/video`)).status).toBe(200);
		const stored = await api().app.db.selectFrom("shareLink").selectAll().where("id", "=", link.id).execute();
		expect(JSON.stringify(stored)).not.toContain(token);
	});

	test("a shared recording that failed says so, and has the frame of its failure; one that passed has its poster", async () => {
		const id = await upload("Failing");
		const outcome = (to: string) => api().call("PATCH", `/v1/recordings/${id}`, { body: { outcome: to } });
		const marker = { label: "Total", kind: "fail", message: "19 is not 20", offsetSeconds: 1 };
		await api().call("POST", `/v1/recordings/${id}/markers`, { body: marker });
		await outcome("failed");
		const path = `/v1${new URL((await share(id)).url).pathname}`;
		const failed = (await visit(path)).body;
		expect([failed.outcome, failed.pictureUrl]).toEqual([
			"failed",
			expect.stringMatching(/\/frame\?of=failure&width=1200$/),
		]);
		const frame = await visit(failed.pictureUrl);
		expect([frame.status, frame.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
		expect((await visit(`${path}/frame?at=0.5`)).status).toBe(200);
		expect((await visit(`${path}/frame`)).status).toBe(422);
		await outcome("passed");
		const passed = (await visit(path)).body;
		expect([passed.outcome, passed.pictureUrl]).toEqual(["passed", `${passed.posterUrl}?size=full`]);
		expect((await visit(passed.pictureUrl)).headers.get("content-type")).toBe("image/jpeg");
	});

	test("a shared page is described as a link with a picture, and nothing else is described", async () => {
		const id = await upload("Described");
		const { url, id: linkId } = await share(id);
		const described = (address: string, more = "") =>
			visit(`/v1/oembed?url=${encodeURIComponent(address)}${more}`).then(({ status, body }) => ({ status, body }));
		const { status, body } = await described(`${url}?t=1.5`, "&maxwidth=100&format=json");
		expect(status).toBe(200);
		expect(embedSchema.parse(body)).toEqual(body);
		expect(body).toMatchObject({ version: "1.0", type: "link", title: "Described", provider_name: "Tapedeck" });
		expect(body.thumbnail_width).toBe(100);
		expect((await visit(body.thumbnail_url)).status).toBe(200);
		for (const address of [
			url.replace(api().app.baseUrl, "https://elsewhere.example"),
			`${api().app.baseUrl}/recordings/${id}`,
			`${url}x`,
			"javascript:alert(1)",
			"nothing",
		]) {
			expect((await described(address)).status, address).toBe(404);
		}
		expect((await described(url, "&format=xml")).status).toBe(422);
		await api().call("DELETE", `/v1/recordings/${id}/links/${linkId}`);
		expect((await described(url)).status).toBe(404);
	});

	test("a shared page is gone once its link is revoked or expires, or its recording is deleted", async () => {
		const id = await upload();
		const path = `/v1/recordings/${id}/links`;
		const [ended, expired, deleted] = [await share(id), await share(id), await share(id)];
		const tokenOf = (link: { url: string }) => link.url.split("/").at(-1);
		const statuses = async (link: { url: string }) => [
			(await visit(`/v1/shared/${tokenOf(link)}`)).status,
			(await visit(`/v1/shared/${tokenOf(link)}/video`)).status,
			(await visit(`/v1/shared/${tokenOf(link)}/poster`)).status,
			(await visit(`/v1/shared/${tokenOf(link)}/frame?at=0`)).status,
		];
		const listed = (await api().call("GET", path)).body.data;
		expect(listed.map((each: object) => shareLinkSchema.parse(each).id)).toEqual([deleted.id, expired.id, ended.id]);
		expect(JSON.stringify(listed)).not.toContain(tokenOf(ended));

		expect((await api().call("DELETE", `${path}/${ended.id}`)).status).toBe(204);
		expect((await api().call("DELETE", `${path}/${ended.id}`)).status).toBe(404);
		expect(await statuses(ended)).toEqual([404, 404, 404, 404]);
		await api().app.db.updateTable("shareLink").set({ expiresAt: 1 }).where("id", "=", expired.id).execute();
		expect(await statuses(expired)).toEqual([410, 410, 410, 410]);
		expect((await api().call("GET", path)).body.data).toHaveLength(1);
		expect(await statuses(deleted)).toEqual([200, 200, 200, 200]);
		await api().call("DELETE", `/v1/recordings/${id}`);
		expect(await statuses(deleted)).toEqual([404, 404, 404, 404]);
		expect((await visit("/v1/shared/not-a-token")).status).toBe(404);
	});

	test("creating and revoking links is audited, and an expiry is required", async () => {
		const id = await upload();
		for (const body of [{}, { expiresAt: "soon" }, { expiresAt: "2020-01-01T00:00:00Z" }]) {
			expect((await api().call("POST", `/v1/recordings/${id}/links`, { body })).status).toBe(422);
		}
		const link = await share(id, new Date(Date.now() + 60_000).toISOString());
		await api().call("DELETE", `/v1/recordings/${id}/links/${link.id}`);
		const rows = await api().app.db.selectFrom("auditEntry").selectAll().orderBy("id", "desc").limit(2).execute();
		expect(rows.map((row) => [row.action, row.targetKind, row.targetId, row.actorKind])).toEqual([
			["link.revoked", "recording", id, "apiKey"],
			["link.created", "recording", id, "apiKey"],
		]);
	});
});
