/** Invitations: a link created by an admin and accepted once, by one person. */
import { beforeAll, expect, test } from "vitest";
import { cookieOf, invite, join, PASSWORD, type Person, signIn } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

onOneDatabase((api) => {
	let owner: Person;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	const callAnonymously = (path: string, body: object, headers: Record<string, string> = {}) =>
		api().call("POST", path, { token: null, body, headers: { origin: api().url, ...headers } });
	const open = async (token: string) => (await callAnonymously("/v1/invitations/open", { token })).body;
	const signUp = (token: string, email: string) =>
		callAnonymously("/v1/sign-up", { token, name: "New", email, password: PASSWORD });
	const advance = async (ms: number, work: () => Promise<void>) => {
		const { clock } = api().app;
		const { now } = clock;
		clock.now = () => now() + ms;
		try {
			await work();
		} finally {
			clock.now = now;
		}
	};

	test("a link lets one person sign up, with the role of the invitation, and signs them in at once", async () => {
		const { token } = await invite(owner, "viewer");
		expect(await open(token)).toMatchObject({
			organizationName: "Tapedeck",
			role: "viewer",
			email: null,
			state: "open",
		});
		const answer = await signUp(token, "Grace@Example.com");
		expect(answer.status).toBe(201);
		expect(answer.body).toMatchObject({ email: "grace@example.com", role: "viewer" });
		const me = await api().call("GET", "/v1/me", { token: null, headers: { cookie: cookieOf(answer) } });
		expect(me.body.role).toBe("viewer");
		expect((await open(token)).state).toBe("accepted");
		const again = await signUp(token, "second@example.com");
		expect([again.status, again.body.code]).toEqual([410, "gone"]);
		expect(again.body.detail).toMatch(/was already used/);
	});

	test("one of many people who accept a link at the same moment succeeds", async () => {
		const { token } = await invite(owner, "member");
		const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => signUp(token, `crowd-${at}@example.com`)));
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410, 410]);
		const users = await api().app.db.selectFrom("user").select("email").where("email", "like", "crowd-%").execute();
		expect(users).toHaveLength(1);
	});

	test("revoked, expired and unknown links are refused with the remedy", async () => {
		const revoked = await invite(owner, "member");
		expect((await owner.call("DELETE", `/v1/invitations/${revoked.id}`)).status).toBe(204);
		expect((await owner.call("DELETE", `/v1/invitations/${revoked.id}`)).status).toBe(410);
		expect((await owner.call("DELETE", "/v1/invitations/999999")).status).toBe(404);
		const refused = await signUp(revoked.token, "late@example.com");
		expect([refused.status, refused.body.detail]).toEqual([410, expect.stringMatching(/revoked.*Ask an admin/)]);
		const expiring = await invite(owner, "member");
		await advance(7 * 86_400_000 + 1_000, async () => {
			expect((await open(expiring.token)).state).toBe("expired");
			expect((await signUp(expiring.token, "late@example.com")).body.detail).toMatch(/expired.*Ask an admin/);
		});
		expect((await open(expiring.token)).state).toBe("open");
		expect((await signUp("made-up", "late@example.com")).status).toBe(404);
	});

	test("a link for one email accepts no other", async () => {
		const { token } = await invite(owner, "member", "Only@Example.com");
		const other = await signUp(token, "other@example.com");
		expect([other.status, other.body.errors[0].path]).toEqual([422, "email"]);
		expect((await signUp(token, "only@example.com")).status).toBe(201);
	});

	test("a person with an account joins with it, and no second account is created", async () => {
		const person = await join(api(), owner, "member");
		const { token } = await invite(owner, "admin");
		const twice = await signUp(token, person.email);
		expect([twice.status, twice.body.detail]).toEqual([409, expect.stringMatching(/Sign in/)]);
		const member = await person.call("POST", "/v1/invitations/accept", { body: { token } });
		expect([member.status, member.body.detail]).toEqual([409, expect.stringMatching(/already/)]);
		expect((await open(token)).state).toBe("open");
		await owner.call("DELETE", `/v1/members/${person.userId}`);
		expect((await person.call("GET", "/v1/me")).status).toBe(403);
		const joined = await person.call("POST", "/v1/invitations/accept", { body: { token } });
		expect([joined.status, joined.body.role]).toEqual([200, "admin"]);
		expect((await person.call("GET", "/v1/me")).body.role).toBe("admin");
		expect((await callAnonymously("/v1/invitations/accept", { token })).status).toBe(401);
	});

	test("an invitation grants only what its creator may grant now", async () => {
		const admin = await join(api(), owner, "admin");
		expect((await admin.call("POST", "/v1/invitations", { body: { role: "owner" } })).status).toBe(403);
		const { token } = await invite(admin, "admin");
		await owner.call("PATCH", `/v1/members/${admin.userId}`, { body: { role: "member" } });
		expect((await open(token)).state).toBe("revoked");
		expect((await signUp(token, "friend@example.com")).status).toBe(410);
		expect((await admin.call("POST", "/v1/invitations", { body: { role: "viewer" } })).status).toBe(403);
		await owner.call("DELETE", `/v1/members/${admin.userId}`);
		expect((await signUp(token, "friend@example.com")).status).toBe(410);
	});

	test("admins see every invitation with its state, and nobody sees its token again", async () => {
		const { id, token } = await invite(owner, "viewer");
		const { body } = await owner.call("GET", "/v1/invitations");
		expect(body.data[0]).toMatchObject({ id, role: "viewer", state: "open", createdBy: owner.name, acceptedBy: null });
		expect(JSON.stringify(body)).not.toContain(token);
		const rows = await api().app.db.selectFrom("invitationLink").selectAll().execute();
		expect(JSON.stringify(rows)).not.toContain(token);
		const viewer = await join(api(), owner, "viewer");
		expect((await viewer.call("GET", "/v1/invitations")).status).toBe(403);
	});

	test("a page of another site cannot make anyone join or sign up", async () => {
		const { token } = await invite(owner, "viewer");
		const evil = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
		const body = { token, name: "New", email: "csrf@example.com", password: PASSWORD };
		expect((await callAnonymously("/v1/sign-up", body, evil)).status).toBe(403);
		expect(
			(await callAnonymously("/v1/invitations/accept", { token }, { ...evil, cookie: owner.cookie() })).status,
		).toBe(403);
		expect((await open(token)).state).toBe("open");
	});
});
