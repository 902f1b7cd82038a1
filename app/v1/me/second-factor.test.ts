import { beforeAll, beforeEach, expect, test } from "vitest";
import { FAILURES_PER_ACCOUNT } from "#lib/auth/sign-in/throttle.ts";
import { cookieOf, join, PASSWORD, type Person, signIn } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { nextTotpOf, totpOf } from "#test/totp.ts";

onOneDatabase((api) => {
	let owner: Person;
	let person: Person;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	beforeEach(async () => {
		person = await join(api(), owner, "member");
	});

	const post = (path: string, body: object, cookie = "") =>
		api().call("POST", path, { token: null, headers: { origin: api().url, cookie }, body });
	const secondFactorOf = async (cookie: string) =>
		(await api().call("GET", "/v1/me", { token: null, headers: { cookie } })).body.secondFactor;
	const begin = (password = PASSWORD, by = person.cookie()) => post("/v1/me/second-factor", { password }, by);
	const confirm = (code: string) => post("/v1/me/second-factor/confirmation", { code }, person.cookie());
	const enterPassword = () => post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD });
	const actions = async () => {
		const { body } = await owner.call("GET", "/v1/audit-log?limit=20");
		return body.data.flatMap((entry: { action: string; target: { id: number } }) =>
			entry.target.id === person.userId ? [entry.action] : [],
		);
	};
	/** Adds a second factor. */
	async function add(): Promise<{ uri: string; backupCodes: string[]; cookie: string }> {
		const begun = await begin();
		expect(begun.status, JSON.stringify(begun.body)).toBe(201);
		const confirmed = await confirm(totpOf(begun.body.uri));
		expect(confirmed.status).toBe(204);
		return { ...begun.body, cookie: cookieOf(confirmed) };
	}

	test("a second factor counts from its first code on, and the session that added it goes on alone", async () => {
		const other = await signIn(api(), person.email, PASSWORD);
		const begun = await begin();
		expect(begun.body).toEqual({
			uri: expect.stringMatching(/^otpauth:\/\/totp\/Tapedeck:/),
			backupCodes: expect.objectContaining({ length: 10 }),
		});
		expect(await secondFactorOf(person.cookie())).toBe(false);
		expect((await signIn(api(), person.email, PASSWORD)).userId).toBe(person.userId);
		const wrong = await confirm("000000");
		expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, "code"]);
		const confirmed = await confirm(totpOf(begun.body.uri));
		expect(confirmed.status).toBe(204);
		expect(await secondFactorOf(cookieOf(confirmed))).toBe(true);
		expect((await other.call("GET", "/v1/me")).status).toBe(401);
		expect((await person.call("GET", "/v1/me")).status).toBe(401);
		expect(await actions()).toContain("second_factor.added");
	});

	test("the password alone signs nobody in, and the app's code completes it", async () => {
		const { uri } = await add();
		const half = await enterPassword();
		expect(half.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
		expect((await api().call("GET", "/v1/me", { token: null, headers: { cookie: cookieOf(half) } })).status).toBe(401);
		const begunBefore = (await actions()).filter((action: string) => action === "session.started").length;
		const wrong = await post("/api/auth/two-factor/verify-totp", { code: "000000" }, cookieOf(half));
		expect([wrong.status, wrong.headers.getSetCookie().join()]).toEqual([
			401,
			expect.not.stringContaining("session_token=."),
		]);
		const whole = await post("/api/auth/two-factor/verify-totp", { code: nextTotpOf(uri) }, cookieOf(half));
		expect(whole.status).toBe(200);
		expect(await secondFactorOf(cookieOf(whole))).toBe(true);
		const begunAfter = (await actions()).filter((action: string) => action === "session.started").length;
		expect(begunAfter - begunBefore).toBe(1);
	});

	test("a backup code signs in once in place of the app", async () => {
		const { backupCodes } = await add();
		const [code] = backupCodes;
		const use = async () => post("/api/auth/two-factor/verify-backup-code", { code }, cookieOf(await enterPassword()));
		expect((await use()).status).toBe(200);
		expect((await use()).status).toBe(401);
	});

	test("five wrong codes end an attempt to sign in, however many passwords were right before", async () => {
		await add();
		for (let at = 0; at <= FAILURES_PER_ACCOUNT; at++) expect((await enterPassword()).status).toBe(200);
		const half = cookieOf(await enterPassword());
		const guess = () => post("/api/auth/two-factor/verify-totp", { code: "000000" }, half);
		for (let at = 0; at < 5; at++) expect((await guess()).status).toBe(401);
		expect((await guess()).status).toBe(400);
		expect((await guess()).status).toBe(401);
	});

	test("the password is asked for before one is added or removed, and guessing it is throttled", async () => {
		const wrong = await begin("not the password");
		expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, "password"]);
		const { cookie } = await add();
		expect((await begin(PASSWORD, cookie)).status).toBe(409);
		const remove = (password: string) => post("/v1/me/second-factor/removal", { password }, cookie);
		expect((await remove("not the password")).status).toBe(422);
		expect((await remove(PASSWORD)).status).toBe(204);
		expect((await remove(PASSWORD)).status).toBe(409);
		expect((await enterPassword()).body.user.id).toBe(String(person.userId));
		expect(await actions()).toContain("second_factor.removed");
		for (let at = 0; at < FAILURES_PER_ACCOUNT; at++) await remove("not the password");
		expect((await remove("not the password")).status).toBe(429);
	});

	test("a code without a second factor that was begun is a conflict, and what is no code is refused", async () => {
		expect((await confirm("123456")).status).toBe(409);
		for (const code of ["12345", "abcdef", "1234567"]) expect((await confirm(code)).status).toBe(422);
	});

	test("the library's own calls, which would let passwords be guessed, are closed", async () => {
		for (const path of ["enable", "disable", "get-totp-uri", "generate-backup-codes", "send-otp", "verify-otp"]) {
			const answer = await post(`/api/auth/two-factor/${path}`, { password: PASSWORD }, person.cookie());
			expect([path, answer.status]).toEqual([path, 404]);
		}
	});
});
