/** Signing in a program by a code that a person confirms. */
import { beforeAll, expect, test } from "vitest";
import { join, type Person, signIn } from "#test/api-people.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";

onEachDatabase((api) => {
	let owner: Person;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	const begin = async (body: object = {}) => {
		const answer = await api().call("POST", "/v1/device-sign-ins", { token: null, body: { name: "laptop", ...body } });
		expect(answer.status, JSON.stringify(answer.body)).toBe(201);
		return answer.body;
	};
	const fetchKey = (deviceCode: string) =>
		api().call("POST", "/v1/device-sign-ins/key", { token: null, body: { deviceCode } });
	const act = (verb: string, body: object, by = owner) => by.call("POST", `/v1/device-sign-ins/${verb}`, { body });
	const state = async (deviceCode: string) => {
		const { status, body } = await fetchKey(deviceCode);
		return status === 200 ? body.state : status;
	};

	test("the program gets a key with the confirmed scopes, once, which its person sees among the keys", async () => {
		const { deviceCode, userCode, url, expiresAt } = await begin({ scopes: ["jobs:read", "jobs:write"] });
		expect(url).toContain(`/device?code=${userCode}`);
		expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
		expect(await state(deviceCode)).toBe("pending");
		// As typed by hand.
		const typed = userCode.toLowerCase().replace("-", " ");
		const opened = await act("open", { userCode: typed });
		expect(opened.body).toMatchObject({ name: "laptop", userCode, scopes: ["jobs:read", "jobs:write"] });
		expect((await act("approve", { userCode: typed, scopes: ["jobs:read"] })).status).toBe(204);
		const { apiKey } = (await fetchKey(deviceCode)).body;
		expect(apiKey).toMatchObject({ name: "laptop", scopes: ["jobs:read"], createdBy: { role: "owner" } });
		expect((await api().call("GET", "/v1/jobs", { token: apiKey.secret })).status).toBe(200);
		expect((await api().call("GET", "/v1/recordings", { token: apiKey.secret })).status).toBe(403);
		expect((await owner.call("GET", "/v1/api-keys")).body.data[0]).toMatchObject({ id: apiKey.id, name: "laptop" });
		expect(await state(deviceCode)).toBe(410);
	});

	test("of many calls that fetch the key at once, one gets it", async () => {
		const { deviceCode, userCode } = await begin();
		await act("approve", { userCode, scopes: ["jobs:read"] });
		const answers = await Promise.all(Array.from({ length: 8 }, () => fetchKey(deviceCode)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(410)]);
	});

	test("a denied, an expired and an unknown sign-in end, and a code can be confirmed once", async () => {
		const denied = await begin();
		expect((await act("deny", { userCode: denied.userCode })).status).toBe(204);
		expect(await state(denied.deviceCode)).toBe(410);
		const expired = await begin();
		await api().app.db.updateTable("deviceSignIn").set({ expiresAt: 1 }).execute();
		expect((await act("approve", { userCode: expired.userCode, scopes: ["jobs:read"] })).status).toBe(404);
		expect(await state(expired.deviceCode)).toBe(410);
		const used = await begin();
		expect((await act("approve", { userCode: used.userCode, scopes: ["jobs:read"] })).status).toBe(204);
		expect((await act("approve", { userCode: used.userCode, scopes: ["jobs:write"] })).status).toBe(404);
		expect((await act("open", { userCode: "BBBB-BBBB" })).status).toBe(404);
		expect((await act("open", { userCode: "short" })).body.errors[0].path).toBe("userCode");
	});

	test("someone who may not create keys confirms nothing, nor does someone who lost the role meanwhile", async () => {
		const { deviceCode, userCode } = await begin();
		const viewer = await join(api(), owner, "viewer");
		expect((await act("approve", { userCode, scopes: ["jobs:read"] }, viewer)).status).toBe(403);
		const admin = await join(api(), owner, "admin");
		expect((await act("approve", { userCode, scopes: ["jobs:read"] }, admin)).status).toBe(204);
		await owner.call("PATCH", `/v1/members/${admin.userId}`, { body: { role: "viewer" } });
		expect(await state(deviceCode)).toBe(410);
	});
});
