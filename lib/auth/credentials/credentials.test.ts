/** Keys and tokens over real sockets: what they may do, for how long, and how they end. */
import { request } from "node:http";
import { SCOPES } from "@tapedeck/contract/permissions.ts";
import { beforeAll, expect, test } from "vitest";
import { signIn } from "#test/api-people.ts";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

/** The wait of a poll, shorter than the 2.5 s after which the dashboard checks every open call again. */
const POLL_SECONDS = 2;

onOneDatabase((api) => {
	let cookie: string;
	beforeAll(async () => {
		cookie = (await signIn(api())).cookie();
	});
	const asOwner = (method: string, path: string, body?: unknown) =>
		api().call(method, path, { token: null, headers: { cookie }, body });
	const makeKey = async (body: object) => (await asOwner("POST", "/v1/api-keys", { name: "CI", ...body })).body;
	const makeToken = async (limits: object = {}) =>
		(await asOwner("POST", "/v1/runner-tokens", { name: "Fleet", ...limits })).body;
	const statusWith = async (token: string, path = "/v1/jobs") => (await api().call("GET", path, { token })).status;
	const signRunnerIn = async (token: string, name: string) => {
		const displays = [{ id: ":99", width: 640, height: 480 }];
		const body = { name, version: "test", instanceId: `instance-${name}`, displays };
		return api().call("POST", "/v1/runner/sign-in", { token, body });
	};

	test("a key can do what its scopes allow and nothing else, and has every scope by default", async () => {
		const all = await makeKey({});
		expect(all).toMatchObject({ scopes: SCOPES, expiresAt: null, createdBy: { role: "owner" } });
		const reader = await makeKey({ scopes: ["jobs:read"] });
		expect(reader.scopes).toEqual(["jobs:read"]);
		expect(await statusWith(reader.secret)).toBe(200);
		expect(await statusWith(reader.secret, "/v1/recordings")).toBe(403);
		const write = await api().call("POST", "/v1/jobs/1/cancel", { token: reader.secret });
		expect([write.status, write.body.detail]).toEqual([403, expect.stringContaining("jobs:write")]);
		const listed = (await asOwner("GET", "/v1/api-keys")).body.data[0];
		expect(listed).toMatchObject({ id: reader.id, scopes: ["jobs:read"], prefix: reader.secret.slice(0, 12) });
		expect(JSON.stringify(listed)).not.toContain(reader.secret);
	});

	test("a key and a token make only what their capabilities say, and everything by default", async () => {
		const shots = await makeKey({ capabilities: ["screenshot"] });
		expect(shots).toMatchObject({ scopes: SCOPES, capabilities: ["screenshot"] });
		expect(await makeKey({ capabilities: ["upload", "screenshot", "record"] })).toMatchObject({ capabilities: null });
		const token = await makeToken({ capabilities: ["record"] });
		expect(token).toMatchObject({ capabilities: ["record"] });
		expect(await makeToken()).toMatchObject({ capabilities: null });
		const { runnerId } = (await signRunnerIn(token.secret, "recorder")).body;
		const any = (await signRunnerIn((await makeToken()).secret, "any")).body.runnerId;
		const recording = { displayId: ":99", stopCondition: "interrupt" };
		const screenshot = { type: "screenshot", displayId: ":99" };
		const file = { type: "file_upload", path: "run.pdf" };
		const create = (body: object, secret?: string) => api().call("POST", "/v1/jobs", { token: secret, body });
		expect((await create({ ...screenshot, runnerId: any }, shots.secret)).status).toBe(201);
		for (const body of [recording, file]) {
			const answer = await create({ ...body, runnerId: any }, shots.secret);
			expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining("This API key may not")]);
		}
		const schedule = { everySeconds: 60, job: { ...recording, runnerId: any } };
		expect((await api().call("POST", "/v1/schedules", { token: shots.secret, body: schedule })).status).toBe(403);
		expect((await create({ ...recording, runnerId })).status).toBe(201);
		for (const body of [screenshot, file]) {
			const answer = await create({ ...body, runnerId });
			expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: "runnerId", code: "not_supported" }] } });
		}
		for (const secret of [shots.secret, token.secret]) {
			const headers = { "tus-resumable": "1.0.0", "upload-length": "3", "upload-metadata": "kind b3RoZXI=,name YQ==" };
			expect((await api().call("POST", "/v1/uploads", { token: secret, headers })).status).toBe(403);
		}
		const raw = Buffer.from("abc");
		const upload = await api().call("POST", "/v1/recordings?name=a&kind=other", { token: shots.secret, raw });
		expect(upload.status).toBe(403);
	});

	test("unknown scopes, an empty list and an expiry in the past are reported at their fields", async () => {
		const past = new Date(Date.now() - 1_000).toISOString();
		for (const [body, path] of [
			[{ scopes: ["jobs:admin"] }, "scopes.0"],
			[{ scopes: [] }, "scopes"],
			[{ capabilities: ["fly"] }, "capabilities.0"],
			[{ capabilities: [] }, "capabilities"],
			[{ expiresAt: "tomorrow" }, "expiresAt"],
			[{ expiresAt: past }, "expiresAt"],
		] as const) {
			const answer = await asOwner("POST", "/v1/api-keys", { name: "CI", ...body });
			expect([answer.status, answer.body.errors.map((fault: { path: string }) => fault.path)]).toEqual([422, [path]]);
		}
	});

	test("only the holder of an expired key learns that it expired, and public endpoints still work", async () => {
		const key = await makeKey({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
		expect(await statusWith(key.secret)).toBe(200);
		await api().app.db.updateTable("apiKey").set({ expiresAt: 1 }).where("id", "=", key.id).execute();
		api().app.credentials.forget();
		const answer = await api().call("GET", "/v1/jobs", { token: key.secret });
		expect([answer.status, answer.body.detail]).toEqual([401, expect.stringMatching(/expired at 1970/)]);
		const guess = await api().call("GET", "/v1/jobs", { token: `${key.secret}x` });
		expect([guess.status, guess.body.detail]).toEqual([401, expect.not.stringMatching(/expired/)]);
		expect(await statusWith(key.secret, "/v1/health")).toBe(200);
	});

	test("a key can do no more than its creator's current role allows", async () => {
		const key = await makeKey({});
		const become = async (role: "owner" | "member" | "viewer") => {
			await api().app.db.updateTable("member").set({ role }).execute();
			api().app.credentials.forget();
		};
		const statuses = async () => [
			await statusWith(key.secret),
			(await api().call("POST", "/v1/jobs/999/cancel", { token: key.secret })).status,
			(await api().call("POST", "/v1/runner-tokens", { token: key.secret, body: { name: "x" } })).status,
		];
		try {
			expect(await statuses()).toEqual([200, 404, 201]);
			await become("member");
			expect(await statuses()).toEqual([200, 404, 403]);
			await become("viewer");
			expect(await statuses()).toEqual([200, 403, 403]);
		} finally {
			await become("owner");
		}
	});

	test("verifying a key writes nothing to the database but its last use", async () => {
		const key = await makeKey({});
		const row = () => api().app.db.selectFrom("apiKey").selectAll().where("id", "=", key.id).executeTakeFirstOrThrow();
		await statusWith(key.secret);
		await expect.poll(async () => (await row()).lastUsedAt).not.toBeNull();
		const before = await row();
		api().app.credentials.forget();
		for (let call = 0; call < 20; call++) await statusWith(key.secret);
		expect(await row()).toEqual(before);
	});

	test("an event stream ends when its key is revoked", async () => {
		const key = await makeKey({});
		const stream = await fetch(`${api().url}/v1/events`, { headers: { authorization: `Bearer ${key.secret}` } });
		const ended = (async () => {
			await new Response(stream.body).arrayBuffer();
		})().catch(() => undefined);
		await asOwner("DELETE", `/v1/api-keys/${key.id}`);
		await ended;
		expect(await statusWith(key.secret, "/v1/events")).toBe(401);
	});

	test("a rotated token works until its grace period ends, and its successor works at once", async () => {
		const old = await makeToken();
		const answer = await asOwner("POST", `/v1/runner-tokens/${old.id}/rotate`);
		expect(answer.status).toBe(201);
		const fresh = answer.body;
		expect(fresh).toMatchObject({ name: "Fleet", expiresAt: null, replaces: { id: old.id } });
		const graceMs = Date.parse(fresh.replaces.expiresAt) - api().app.clock.now();
		expect(graceMs).toBeGreaterThan(86_300_000);
		expect(graceMs).toBeLessThanOrEqual(86_400_000);
		expect((await signRunnerIn(old.secret, "one")).status).toBe(200);
		expect((await signRunnerIn(fresh.secret, "two")).status).toBe(200);
		const listed = (await asOwner("GET", "/v1/runner-tokens")).body.data;
		expect(listed.slice(0, 2)).toMatchObject([{ id: fresh.id }, { id: old.id, expiresAt: fresh.replaces.expiresAt }]);
		const again = await asOwner("POST", `/v1/runner-tokens/${old.id}/rotate`);
		expect(again.status).toBe(409);

		await api().app.db.updateTable("runnerToken").set({ expiresAt: 1 }).where("id", "=", old.id).execute();
		api().app.credentials.forget();
		const refused = await signRunnerIn(old.secret, "one");
		expect([refused.status, refused.body.detail]).toEqual([401, expect.stringContaining("replaced")]);
		expect((await asOwner("POST", `/v1/runner-tokens/${old.id}/rotate`)).status).toBe(404);
	});

	test("a grace period of 0 ends the old token at once, and one that is too long is refused", async () => {
		const old = await makeToken();
		for (const graceSeconds of ["-1", "2592001", "soon"]) {
			const path = `/v1/runner-tokens/${old.id}/rotate?graceSeconds=${graceSeconds}`;
			expect((await asOwner("POST", path)).status).toBe(422);
		}
		expect((await asOwner("POST", `/v1/runner-tokens/${old.id}/rotate?graceSeconds=0`)).status).toBe(201);
		expect((await signRunnerIn(old.secret, "one")).status).toBe(401);
	});

	test("a waiting runner is disconnected at once when its token is revoked", async () => {
		const waiting = async (name: string) => {
			const token = await makeToken();
			const { sessionId } = (await signRunnerIn(token.secret, name)).body;
			const sync = (waitSeconds: number) =>
				api().call("POST", "/v1/runner/sync", { token: token.secret, body: { sessionId, jobs: [], waitSeconds } });
			await sync(0);
			return { id: token.id, poll: sync(POLL_SECONDS) };
		};
		const other = await waiting("waits to the end");
		const revoked = await waiting("waits");
		await asOwner("DELETE", `/v1/runner-tokens/${revoked.id}`);
		// Before a poll that began earlier, and that nothing ends.
		expect((await Promise.race([revoked.poll, other.poll])).status).toBe(401);
		expect((await other.poll).status).toBe(200);
	});

	test("an upload in progress accepts no more bytes once its key is revoked", async () => {
		const key = await makeKey({ scopes: ["recordings:write"] });
		const call = request(`${api().url}/v1/recordings?name=Long`, {
			method: "POST",
			headers: { authorization: `Bearer ${key.secret}`, "content-type": "video/mp4" },
		});
		const ended = new Promise<string>((resolve) => {
			call.on("error", () => resolve("broken off"));
			call.on("response", (answer) => resolve(`answered ${answer.statusCode}`));
		});
		await new Promise((resolve) => call.write(Buffer.alloc(1_000), resolve));
		// Once the key's use is recorded, the server has begun to receive the upload.
		const used = () =>
			api().app.db.selectFrom("apiKey").select("lastUsedAt").where("id", "=", key.id).executeTakeFirst();
		await expect.poll(async () => (await used())?.lastUsedAt).not.toBeNull();
		await asOwner("DELETE", `/v1/api-keys/${key.id}`);
		expect(await ended).toBe("broken off");
		const left = await api().app.db.selectFrom("recording").select("id").where("name", "=", "Long").execute();
		expect(left).toEqual([]);
	});

	test("creating, rotating and revoking keys and tokens is recorded in the audit log", async () => {
		const key = await makeKey({ scopes: ["jobs:read"] });
		await asOwner("DELETE", `/v1/api-keys/${key.id}`);
		const token = await makeToken();
		await asOwner("POST", `/v1/runner-tokens/${token.id}/rotate`);
		await asOwner("DELETE", `/v1/runner-tokens/${token.id}`);
		const rows = await api().app.db.selectFrom("auditEntry").selectAll().orderBy("id", "desc").limit(5).execute();
		expect(rows.reverse().map((row) => [row.action, row.targetId])).toEqual([
			["api_key.created", key.id],
			["api_key.revoked", key.id],
			["runner_token.created", token.id],
			["runner_token.rotated", token.id],
			["runner_token.revoked", token.id],
		]);
		expect(rows.every((row) => row.actorKind === "user" && row.address !== null)).toBe(true);
		expect(JSON.stringify(rows)).not.toContain(key.secret);
		expect(JSON.stringify(rows)).not.toContain(token.secret);
	});

	test("the bootstrap token can be rotated like any other", async () => {
		const { data } = (await asOwner("GET", "/v1/runner-tokens")).body;
		const bootstrap = data.find((each: { name: string }) => each.name === "Bootstrap");
		expect((await asOwner("POST", `/v1/runner-tokens/${bootstrap.id}/rotate`)).status).toBe(201);
		expect((await signRunnerIn(TEST_RUNNER_TOKEN, "old")).status).toBe(200);
	});
});
