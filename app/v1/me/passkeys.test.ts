import { beforeAll, beforeEach, expect, test } from "vitest";
import { cookieOf, join, PASSWORD, type Person, signIn } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { createPasskeyDevice } from "#test/passkey.ts";

onOneDatabase((api) => {
	let owner: Person;
	let person: Person;
	let device: ReturnType<typeof createPasskeyDevice>;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	beforeEach(async () => {
		person = await join(api(), owner, "member");
		device = createPasskeyDevice();
	});

	const call = (method: string, path: string, cookie: string, body?: object) =>
		api().call(method, path, { token: null, headers: { origin: api().url, cookie }, ...(body ? { body } : {}) });
	const begin = (password = PASSWORD) => call("POST", "/v1/me/passkeys/options", person.cookie(), { password });
	/** Adds the device's passkey. */
	async function add({ verified = true, name = "Key" } = {}) {
		const begun = await begin();
		expect(begun.status, JSON.stringify(begun.body)).toBe(200);
		const response = device.create({ options: begun.body, origin: api().url, verified });
		const cookie = `${person.cookie()}; ${cookieOf(begun)}`;
		return { response, cookie, added: await call("POST", "/v1/me/passkeys", cookie, { name, response }) };
	}
	async function enter({ verified = true, origin = api().url } = {}) {
		const begun = await call("GET", "/api/auth/passkey/generate-authenticate-options", "");
		expect(begun.body.userVerification).toBe("required");
		const response = device.get({ options: begun.body, origin, verified });
		const cookie = cookieOf(begun);
		const answer = await call("POST", "/api/auth/passkey/verify-authentication", cookie, { response });
		return { response, cookie, answer };
	}
	const hasSession = (cookies: string[]) => cookies.some((cookie) => /session_token=./.test(cookie));
	const list = async () => (await person.call("GET", "/v1/me/passkeys")).body.data;
	const actions = async () => {
		const { body } = await owner.call("GET", "/v1/audit-log?limit=20");
		return body.data.flatMap((entry: { action: string; target: { id: number } }) =>
			entry.target.id === person.userId ? [entry.action] : [],
		);
	};

	test("a passkey is added after the password, signs in without one, and signs nobody in once removed", async () => {
		const { added } = await add({ name: "Laptop" });
		expect([added.status, added.body]).toEqual([
			201,
			{ id: expect.any(Number), name: "Laptop", createdAt: expect.any(String) },
		]);
		expect(await list()).toEqual([added.body]);
		const { answer } = await enter();
		expect(answer.status).toBe(200);
		expect((await call("GET", "/v1/me", cookieOf(answer))).body.userId).toBe(person.userId);
		expect((await actions()).slice(0, 2)).toEqual(["session.started", "passkey.added"]);
		const path = `/v1/me/passkeys/${added.body.id}`;
		expect((await owner.call("DELETE", path)).status).toBe(404);
		expect((await person.call("DELETE", path)).status).toBe(204);
		expect((await person.call("DELETE", path)).status).toBe(404);
		expect(await list()).toEqual([]);
		expect(await actions()).toContain("passkey.removed");
		expect((await enter()).answer.status).toBe(401);
	});

	test("a device that does not verify its user is refused when it is added, and when it signs in", async () => {
		const { added } = await add({ verified: false });
		expect([added.status, added.body.errors[0]]).toEqual([
			422,
			expect.objectContaining({ path: "response", code: "not_verified" }),
		]);
		expect(await list()).toEqual([]);
		expect((await add()).added.status).toBe(201);
		const { answer } = await enter({ verified: false });
		expect([answer.status, answer.body.code]).toEqual([401, "USER_NOT_VERIFIED"]);
		expect(hasSession(answer.headers.getSetCookie())).toBe(false);
	});

	test("answers of a passkey count once, and only for what they were made for", async () => {
		const { response, cookie, added } = await add();
		expect(added.status).toBe(201);
		expect((await call("POST", "/v1/me/passkeys", cookie, { name: "Again", response })).status).toBe(409);
		const first = await enter();
		expect(first.answer.status).toBe(200);
		const path = "/api/auth/passkey/verify-authentication";
		const again = await call("POST", path, first.cookie, { response: first.response });
		expect([again.status, hasSession(again.headers.getSetCookie())]).toEqual([400, false]);
		const elsewhere = await enter({ origin: "http://elsewhere.example" });
		expect([elsewhere.answer.status, hasSession(elsewhere.answer.headers.getSetCookie())]).toEqual([400, false]);
		const begun = await begin();
		const other = createPasskeyDevice().create({ options: { ...begun.body, challenge: "AAAA" }, origin: api().url });
		const wrong = await call("POST", "/v1/me/passkeys", `${person.cookie()}; ${cookieOf(begun)}`, {
			name: "x",
			response: other,
		});
		expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, "response"]);
	});

	test("the password is asked for, and nobody else can finish what a person began", async () => {
		const wrong = await begin("not the password");
		expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, "password"]);
		const begun = await begin();
		const response = device.create({ options: begun.body, origin: api().url });
		const body = { name: "Theirs", response };
		expect((await owner.call("POST", "/v1/me/passkeys", { body })).status).toBe(409);
		const cookie = `${owner.cookie()}; ${cookieOf(begun)}`;
		expect((await call("POST", "/v1/me/passkeys", cookie, body)).status).toBe(409);
		expect((await owner.call("GET", "/v1/me/passkeys")).body.data).toEqual([]);
	});

	test("malformed answers are refused, and the library's own calls for signed-in people are closed", async () => {
		const path = "/api/auth/passkey/verify-authentication";
		for (const id of [undefined, 1, {}, "a\u0000b", "x".repeat(2_000)]) {
			expect((await call("POST", path, "", { response: { id } })).status).toBe(400);
		}
		const closed = ["generate-register-options", "verify-registration", "list-user-passkeys", "delete-passkey"];
		for (const name of [...closed, "update-passkey"]) {
			const answer = await call("POST", `/api/auth/passkey/${name}`, person.cookie(), {});
			expect([name, answer.status]).toEqual([name, 404]);
		}
	});

	test("an account takes 10 passkeys", async () => {
		for (let at = 0; at < 10; at++) {
			device = createPasskeyDevice();
			expect((await add()).added.status).toBe(201);
		}
		expect((await begin()).status).toBe(409);
		expect(await list()).toHaveLength(10);
	});
});
