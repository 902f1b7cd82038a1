/** A person's own account: password, sessions and name; and the password reset link from an admin. */
import { beforeAll, expect, test } from "vitest";
import { join, PASSWORD, type Person, signIn, tokenOf } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

onOneDatabase((api) => {
	let owner: Person;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	const status = async (person: Person) => (await person.call("GET", "/v1/me")).status;
	const reset = (token: string, password: string) =>
		api().call("POST", "/v1/password-reset", {
			token: null,
			headers: { origin: api().url },
			body: { token, password },
		});
	const resetLink = async (by: Person, whom: Person) => {
		const answer = await by.call("POST", `/v1/members/${whom.userId}/password-reset`);
		expect(answer.status).toBe(201);
		return tokenOf(answer.body.url);
	};

	test("sessions are listed with device, address and last use, and ended one by one or all others at once", async () => {
		const here = await join(api(), owner, "member");
		const there = await signIn(api(), here.email, PASSWORD);
		const third = await signIn(api(), here.email, PASSWORD);
		const { data } = (await here.call("GET", "/v1/me/sessions")).body;
		expect(data).toHaveLength(3);
		expect(data.filter((one: { current: boolean }) => one.current)).toHaveLength(1);
		expect(data[0]).toMatchObject({ address: "127.0.0.1", userAgent: "node" });
		expect(JSON.stringify(data)).not.toContain(here.cookie().split("=")[1]?.split(".")[0] ?? "");
		const { id } = (await there.call("GET", "/v1/me/sessions")).body.data.find(
			(one: { current: boolean }) => one.current,
		);
		expect((await owner.call("DELETE", `/v1/me/sessions/${id}`)).status).toBe(404);
		expect(await status(there)).toBe(200);
		expect((await here.call("DELETE", `/v1/me/sessions/${id}`)).status).toBe(204);
		expect(await status(there)).toBe(401);
		expect((await here.call("DELETE", "/v1/me/sessions")).status).toBe(204);
		expect([await status(here), await status(third)]).toEqual([200, 401]);
	});

	test("sessions come by pages, the most recently used first, each once", async () => {
		const person = await join(api(), owner, "member");
		for (let more = 0; more < 4; more++) await signIn(api(), person.email, PASSWORD);
		const whole = (await person.call("GET", "/v1/me/sessions")).body;
		expect(whole.nextCursor).toBeNull();
		const pages: { id: number }[][] = [];
		for (let cursor: string | null = ""; cursor !== null; ) {
			const { body } = await person.call("GET", `/v1/me/sessions?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
			pages.push(body.data);
			cursor = body.nextCursor;
		}
		expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
		expect(pages.flat()).toEqual(whole.data);
		const tooLate = Buffer.from("lastSeenAt:9007199254740991:1").toString("base64url");
		for (const cursor of ["x", tooLate]) {
			const { status, body } = await person.call("GET", `/v1/me/sessions?cursor=${cursor}`);
			expect([status, body.errors[0].path]).toEqual([422, "cursor"]);
		}
	});

	test("the last use of a session is updated at most once a minute", async () => {
		const person = await join(api(), owner, "member");
		const { app } = api();
		const seen = async () => Date.parse((await person.call("GET", "/v1/me/sessions")).body.data[0].lastSeenAt);
		const before = await seen();
		const { now } = app.clock;
		app.clock.now = () => now() + 90_000;
		await person.call("GET", "/v1/jobs");
		await app.lastUses.write();
		app.clock.now = now;
		expect((await seen()) - before).toBeGreaterThan(80_000);
	});

	test("changing the password requires the current one, and ends other sessions on request", async () => {
		const person = await join(api(), owner, "member");
		const other = await signIn(api(), person.email, PASSWORD);
		const change = (body: object) => person.call("POST", "/v1/me/password", { body });
		const wrong = await change({ currentPassword: "not the password", newPassword: "another good password" });
		expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, "currentPassword"]);
		const short = await change({ currentPassword: PASSWORD, newPassword: "short" });
		expect(short.body.errors[0].path).toBe("newPassword");
		expect((await change({ currentPassword: PASSWORD, newPassword: "another good password" })).status).toBe(204);
		expect(await status(other)).toBe(200);
		const again = { currentPassword: "another good password", newPassword: PASSWORD, endOtherSessions: true };
		expect((await change(again)).status).toBe(204);
		expect([await status(person), await status(other)]).toEqual([200, 401]);
		await signIn(api(), person.email, PASSWORD);
	});

	test("a password change is rolled back if it cannot be recorded in the audit log", async () => {
		const person = await join(api(), owner, "member");
		const { schema } = api().app.db;
		await schema.alterTable("auditEntry").renameTo("auditEntryAway").execute();
		try {
			const body = { currentPassword: PASSWORD, newPassword: "another good password", endOtherSessions: true };
			expect((await person.call("POST", "/v1/me/password", { body })).status).toBe(500);
		} finally {
			await schema.alterTable("auditEntryAway").renameTo("auditEntry").execute();
		}
		await expect(signIn(api(), person.email, "another good password")).rejects.toThrow("401");
		await signIn(api(), person.email, PASSWORD);
	});

	test("guessing the current password is throttled too", async () => {
		const person = await join(api(), owner, "member");
		const guess = () =>
			person.call("POST", "/v1/me/password", {
				body: { currentPassword: "wrong", newPassword: "another good password" },
			});
		for (let at = 0; at < 10; at++) expect((await guess()).status).toBe(422);
		const last = await guess();
		expect([last.status, Number(last.headers.get("retry-after")) > 0]).toEqual([429, true]);
	});

	test("an admin's link sets a new password once, within a day, and ends every session", async () => {
		const person = await join(api(), owner, "member");
		const replaced = await resetLink(owner, person);
		const token = await resetLink(owner, person);
		expect((await reset(replaced, "a brand new password")).status).toBe(410);
		expect((await reset(token, "short")).status).toBe(422);
		const answers = await Promise.all([reset(token, "a brand new password"), reset(token, "a brand new password")]);
		expect(answers.map((answer) => answer.status).sort()).toEqual([204, 410]);
		expect(await status(person)).toBe(401);
		await signIn(api(), person.email, "a brand new password");
		await expect(signIn(api(), person.email, PASSWORD)).rejects.toThrow("401");
		const late = await resetLink(owner, person);
		const { clock } = api().app;
		const { now } = clock;
		clock.now = () => now() + 86_400_001;
		expect((await reset(late, "a brand new password")).status).toBe(410);
		clock.now = now;
	});

	test("nobody can reset the password of someone with a higher role, here or in another organization", async () => {
		const admin = await join(api(), owner, "admin");
		const member = await join(api(), owner, "member");
		const make = (by: Person, whom: Person) => by.call("POST", `/v1/members/${whom.userId}/password-reset`);
		expect((await make(member, admin)).status).toBe(403);
		expect((await make(admin, owner)).status).toBe(403);
		expect((await make(admin, admin)).status).toBe(409);
		const token = await resetLink(admin, member);
		// The member gains an organization of their own, which the admin does not belong to.
		await owner.call("PATCH", `/v1/members/${member.userId}`, { body: { role: "admin" } });
		await member.call("POST", "/v1/organizations", { body: { name: "Elsewhere" } });
		expect((await make(admin, member)).status).toBe(403);
		expect((await reset(token, "a brand new password")).status).toBe(410);
		expect(await status(member)).toBe(200);
	});

	test("a link stops working when its creator loses the permission", async () => {
		const admin = await join(api(), owner, "admin");
		const member = await join(api(), owner, "member");
		const token = await resetLink(admin, member);
		await owner.call("DELETE", `/v1/members/${admin.userId}`);
		expect((await reset(token, "a brand new password")).status).toBe(410);
	});

	test("people choose the name that others see", async () => {
		const person = await join(api(), owner, "viewer");
		expect((await person.call("PATCH", "/v1/me", { body: { name: "Grace Hopper" } })).status).toBe(204);
		const { data } = (await owner.call("GET", "/v1/members")).body;
		expect(data.at(-1).name).toBe("Grace Hopper");
	});
});
