/** Runner tokens with limits: which runners can sign in with one, and what they record. */
import { matchesPattern } from "@tapedeck/contract/token-limits.ts";
import { beforeAll, expect, test } from "vitest";
import { signIn as signInPerson } from "#test/api-people.ts";
import type { Answer } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

const DISPLAYS = [":1", ":2"].map((id) => ({ id, width: 640, height: 480 }));
const GRID = "http://grid:4444";

onOneDatabase((api) => {
	let cookie = "";
	beforeAll(async () => {
		cookie = (await signInPerson(api())).cookie();
	});
	const asOwner = (method: string, path: string, body?: unknown) =>
		api().call(method, path, { token: null, headers: { cookie }, body });
	const makeToken = async (limits: object) => {
		const answer = await asOwner("POST", "/v1/runner-tokens", { name: "Fleet", ...limits });
		expect(answer.status, JSON.stringify(answer.body)).toBe(201);
		return answer.body;
	};
	const listed = async (id: number) =>
		(await asOwner("GET", "/v1/runner-tokens")).body.data.find((token: { id: number }) => token.id === id);
	const signIn = (token: string, name: string, more: object = {}) =>
		api().call("POST", "/v1/runner/sign-in", {
			token,
			body: { name, version: "test", instanceId: `instance-of-${name}`, displays: DISPLAYS, ...more },
		});
	const signOut = (token: string, sessionId: string) =>
		api().call("POST", "/v1/runner/sign-out", { token, body: { sessionId } });
	const refusalOf = ({ status, body }: Answer) => [status, body.code, body.detail];
	const refused = (detail: RegExp) => [409, "token_limit", expect.stringMatching(detail)];
	const expire = (id: number) =>
		api()
			.app.db.updateTable("runnerToken")
			.set({ limits: JSON.stringify({ ...noLimits, enrollUntil: 1 }) })
			.where("id", "=", id)
			.execute();
	const noLimits = {
		...{ maxRunners: null, enrollUntil: null, namePattern: null, labels: {}, displays: null, grids: null },
		capabilities: null,
	};

	test("a token says what it is limited to and how much of it is used, and has no limits by default", async () => {
		expect(await makeToken({})).toMatchObject({ ...noLimits, runnerCount: 0 });
		const limits = {
			maxRunners: 3,
			enrollUntil: "2099-01-01T00:00:00.000Z",
			namePattern: "full-*",
			labels: { pool: "ci" },
			displays: [":1"],
			grids: [GRID],
		};
		const token = await makeToken(limits);
		expect(token).toMatchObject({ ...limits, runnerCount: 0 });
		expect((await signIn(token.secret, "full-1")).status).toBe(200);
		expect(await listed(token.id)).toMatchObject({ ...limits, runnerCount: 1 });
		const entry = (await asOwner("GET", `/v1/audit-log?target=runnerToken:${token.id}`)).body.data[0];
		expect(entry).toMatchObject({ action: "runner_token.created", detail: { limits } });
	});

	test("limits that are none are reported at their fields, all at once", async () => {
		const wrong = {
			maxRunners: 0,
			enrollUntil: "soon",
			namePattern: "",
			labels: { BAD: "x" },
			displays: ["99"],
			grids: ["ftp://grid"],
		};
		const answer = await asOwner("POST", "/v1/runner-tokens", { name: "Fleet", ...wrong });
		expect(answer.status).toBe(422);
		const paths = answer.body.errors.map(({ path }: { path: string }) => path.split(".")[0]);
		expect(paths.sort()).toEqual(Object.keys(wrong).sort());
		const past = await asOwner("POST", "/v1/runner-tokens", { name: "Fleet", enrollUntil: "2001-01-01T00:00:00Z" });
		expect([past.status, past.body.errors[0].path]).toEqual([422, "enrollUntil"]);
	});

	test("exactly as many runners sign in as the token allows, even if all try at once", async () => {
		const token = await makeToken({ maxRunners: 3 });
		const names = Array.from({ length: 8 }, (_, index) => `rush-${token.id}-${index}`);
		const answers = await Promise.all(names.map((name) => signIn(token.secret, name)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
		const last = answers.find(({ status }) => status !== 200);
		expect(last && refusalOf(last)).toEqual(refused(/is for 3 runners, which all have signed in\. Remove a runner/));
		expect(await listed(token.id)).toMatchObject({ runnerCount: 3 });

		// Runners that are already signed in may return, even without their data directory.
		const inside = names.filter((_, index) => answers[index]?.status === 200);
		const again = await signIn(token.secret, inside[0] ?? "");
		expect(again.status).toBe(200);
		await signOut(token.secret, again.body.sessionId);
		expect((await signIn(token.secret, inside[0] ?? "", { instanceId: "a-new-directory" })).status).toBe(200);

		// Removing a runner frees its place for another one.
		const runners = (await api().call("GET", "/v1/runners?limit=100")).body.data;
		const removed = runners.find(({ name }: { name: string }) => name === inside[1]);
		expect((await asOwner("DELETE", `/v1/runners/${removed.id}`)).status).toBe(204);
		expect((await signIn(token.secret, `late-${token.id}`)).status).toBe(200);
		expect(refusalOf(await signIn(token.secret, `later-${token.id}`))).toEqual(refused(/is for 3 runners/));
	});

	test("a rotated token hands its limits and its places to its successor", async () => {
		const old = await makeToken({ maxRunners: 2, namePattern: "turn-*" });
		expect((await signIn(old.secret, "turn-1")).status).toBe(200);
		const fresh = (await asOwner("POST", `/v1/runner-tokens/${old.id}/rotate`)).body;
		expect(fresh).toMatchObject({ maxRunners: 2, namePattern: "turn-*", runnerCount: 1 });
		expect((await signIn(fresh.secret, "turn-1")).status).toBe(200);
		expect((await signIn(fresh.secret, "turn-2")).status).toBe(200);
		expect(refusalOf(await signIn(old.secret, "turn-3"))).toEqual(refused(/is for 2 runners/));
	});

	test("after its end a token lets in only runners that were in before, from the same data directory", async () => {
		const token = await makeToken({ enrollUntil: "2099-01-01T00:00:00Z" });
		expect((await signIn(token.secret, "early")).status).toBe(200);
		await expire(token.id);
		const again = await signIn(token.secret, "early");
		expect(again.status).toBe(200);
		await signOut(token.secret, again.body.sessionId);
		expect(refusalOf(await signIn(token.secret, "too-late"))).toEqual(
			refused(/has let no new runner in since 1970.+Create a new one/),
		);
		expect(refusalOf(await signIn(token.secret, "early", { instanceId: "somebody-elses" }))).toEqual(
			refused(/another data directory/),
		);
	});

	test("names have to have the form that the token wants", async () => {
		const token = await makeToken({ namePattern: "ci-*-linux" });
		expect((await signIn(token.secret, "ci-7-linux")).status).toBe(200);
		expect(refusalOf(await signIn(token.secret, "prod-7-linux"))).toEqual(
			refused(/named ci-\*-linux, not "prod-7-linux"\. Set TAPEDECK_RUNNER_NAME/),
		);
	});

	test("a token with limits does not take the place of another token's runner", async () => {
		const [all, limited] = [await makeToken({}), await makeToken({ labels: { pool: "ci" } })];
		await signOut(all.secret, (await signIn(all.secret, "precious")).body.sessionId);
		const stolen = await signIn(limited.secret, "precious", { instanceId: "somebody-elses" });
		expect(refusalOf(stolen)).toEqual(refused(/"precious" signed in with another token/));
		// The same machine changes its token.
		expect((await signIn(limited.secret, "precious")).status).toBe(200);
		expect(await listed(limited.id)).toMatchObject({ runnerCount: 1 });
		expect(await listed(all.id)).toMatchObject({ runnerCount: 0 });
	});

	test("runners have the labels that the token gives, and cannot have other values of them", async () => {
		const token = await makeToken({ labels: { pool: "ci" } });
		const { runnerId } = (await signIn(token.secret, "labelled", { labels: { os: "linux" } })).body;
		expect((await api().call("GET", `/v1/runners/${runnerId}`)).body.labels).toEqual({ pool: "ci", os: "linux" });
		expect(refusalOf(await signIn(token.secret, "liar", { labels: { pool: "prod" } }))).toEqual(
			refused(/the label pool=ci, and "liar" has pool=prod/),
		);
	});

	test("runners have only the displays of the token, whatever they report, and record no other", async () => {
		const token = await makeToken({ displays: [":2"] });
		const { runnerId, sessionId } = (await signIn(token.secret, "narrow")).body;
		const displays = async () => (await api().call("GET", `/v1/runners/${runnerId}`)).body.displays;
		expect(await displays()).toEqual([DISPLAYS[1]]);
		const sentAt = new Date().toISOString();
		await api().call("POST", "/v1/runner/reports", {
			token: token.secret,
			body: { sessionId, sentAt, displays: DISPLAYS, jobs: [] },
		});
		expect(await displays()).toEqual([DISPLAYS[1]]);
		const order = { runnerId, displayId: ":1", stopCondition: "interrupt" };
		const answer = await api().call("POST", "/v1/jobs", { body: order });
		expect([answer.status, answer.body.errors]).toEqual([
			422,
			[{ path: "displayId", code: "display_unavailable", message: expect.stringContaining("a token for :2 only") }],
		]);
		const own = {
			sessionId,
			sentAt,
			key: "key-of-the-runner",
			at: sentAt,
			displayId: ":1",
			stopCondition: "interrupt",
		};
		const auto = await api().call("POST", "/v1/runner/jobs", { token: token.secret, body: own });
		expect([auto.status, auto.body.errors[0].path]).toEqual([422, "displayId"]);
		expect((await api().call("GET", `/v1/jobs?runnerId=${runnerId}`)).body.data).toEqual([]);
	});

	test("runners get no job on a grid that the token does not allow, neither by name nor from the queue", async () => {
		const token = await makeToken({ grids: [GRID], labels: { pool: `grids-${Math.random()}` } });
		const { runnerId, sessionId } = (await signIn(token.secret, `gridded-${token.id}`)).body;
		const idle = (gridUrl: string) => ({ stopCondition: "selenium_idle", stopConditionConfig: { gridUrl } });
		const named = (gridUrl: string) =>
			api().call("POST", "/v1/jobs", { body: { runnerId, displayId: ":1", ...idle(gridUrl) } });
		const refusedJob = await named("http://secret:4444");
		expect([refusedJob.status, refusedJob.body.errors[0].path]).toEqual([422, "stopConditionConfig.gridUrl"]);
		expect((await named(`${GRID}/wd/hub`)).status).toBe(201);

		const selector = { labels: token.labels, display: "any" };
		const pooled = (gridUrl: string) => api().call("POST", "/v1/jobs", { body: { selector, ...idle(gridUrl) } });
		const alone = await pooled("http://secret:4444");
		expect([alone.status, alone.body.errors[0].path]).toEqual([422, "stopConditionConfig.gridUrl"]);
		// If another runner may record the job, the job waits for that runner.
		const other = await makeToken({ labels: token.labels });
		await signIn(other.secret, `free-${token.id}`);
		const secret = (await pooled("http://secret:4444")).body;
		const allowed = (await pooled(GRID)).body;
		const sync = { sessionId, jobs: [], waitSeconds: 0 };
		const { start } = (await api().call("POST", "/v1/runner/sync", { token: token.secret, body: sync })).body;
		const ids = start.map(({ id }: { id: number }) => id);
		expect(ids).toContain(allowed.id);
		expect(ids).not.toContain(secret.id);
	});

	test("a queued job that the runner's new token does not allow fails with the reason", async () => {
		const [all, limited] = [await makeToken({}), await makeToken({ displays: [":2"] })];
		const { runnerId } = (await signIn(all.secret, "changing")).body;
		const order = { runnerId, displayId: ":1", stopCondition: "interrupt" };
		const { id } = (await api().call("POST", "/v1/jobs", { body: order })).body;
		const { sessionId } = (await signIn(limited.secret, "changing")).body;
		const sync = { sessionId, jobs: [], waitSeconds: 0 };
		expect((await api().call("POST", "/v1/runner/sync", { token: limited.secret, body: sync })).body.start).toEqual([]);
		expect((await api().call("GET", `/v1/jobs/${id}`)).body).toMatchObject({
			status: "failed",
			error: { code: "display_unavailable", message: expect.stringContaining("a token for :2 only") },
		});
	});
});

test.each([
	["ci-1", "ci-*", true],
	["ci-", "ci-*", true],
	["xci-1", "ci-*", false],
	["ci", "ci", true],
	["ci2", "ci", false],
	["a-b-c", "a*b*c", true],
	["abcbc", "a*bc*bc", true],
	["abc", "a*bc*bc", false],
	["anything", "*", true],
	["a.c", "a.c", true],
	["abc", "a.c", false],
])("whether %s has the form %s: %s", (name, pattern, fits) => {
	expect(matchesPattern(name, pattern)).toBe(fits);
});
