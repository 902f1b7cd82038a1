import { beforeAll, beforeEach, expect, test } from "vitest";
import { cookieOf, join, PASSWORD, type Person, signIn } from "#test/api-people.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { inExplore } from "#test/in-explore.ts";
import { nextTotpOf, totpOf } from "#test/totp.ts";

onEachDatabase((api) => {
	let owner: Person;
	let person: Person;
	let uri: string;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	beforeEach(async () => {
		person = await join(api(), owner, "member");
		uri = (await post("/v1/me/second-factor", { password: PASSWORD }, person.cookie())).body.uri;
	});

	const post = (path: string, body: object, cookie = "") =>
		api().call("POST", path, { token: null, headers: { origin: api().url, cookie }, body });
	const confirm = (code: string) => post("/v1/me/second-factor/confirmation", { code }, person.cookie());
	/** @returns the cookie of a sign-in that still needs its second factor. */
	const enterPassword = async () =>
		cookieOf(await post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD }));
	const enterCode = async (code: string, half: string) =>
		(await post("/api/auth/two-factor/verify-totp", { code }, half)).status;

	test("a code that has signed in is refused at the next sign-in", async () => {
		expect((await confirm(totpOf(uri))).status).toBe(204);
		const code = nextTotpOf(uri);
		expect(await enterCode(code, await enterPassword())).toBe(200);
		const half = await enterPassword();
		expect(await enterCode(code, half)).toBe(401);
	});

	test("the code that confirmed a second factor, and the one before it, sign nobody in", async () => {
		const before = totpOf(uri, Date.now() - 30_000);
		const code = totpOf(uri);
		expect((await confirm(code)).status).toBe(204);
		expect(await enterCode(code, await enterPassword())).toBe(401);
		expect(await enterCode(before, await enterPassword())).toBe(401);
	});

	test("one of several simultaneous sign-ins with the same code succeeds", async () => {
		expect((await confirm(totpOf(uri))).status).toBe(204);
		const halves = [];
		for (let at = 0; at < 3; at++) halves.push(await enterPassword());
		const code = nextTotpOf(uri);
		const answers = await Promise.all(halves.map((half) => enterCode(code, half)));
		expect(answers.sort()).toEqual([200, 401, 401]);
	});

	inExplore(test)("a used code counts as a wrong one, so that five of them end the attempt", async () => {
		const code = totpOf(uri);
		expect((await confirm(code)).status).toBe(204);
		const half = await enterPassword();
		for (let at = 0; at < 5; at++) expect(await enterCode(code, half)).toBe(401);
		expect(await enterCode(code, half)).toBe(400);
	});

	inExplore(test)("a wrong code uses up no code", async () => {
		expect((await confirm("000000")).status).toBe(422);
		expect((await confirm(totpOf(uri))).status).toBe(204);
		const half = await enterPassword();
		expect(await enterCode("000000", half)).toBe(401);
		expect(await enterCode(nextTotpOf(uri), half)).toBe(200);
	});
});
