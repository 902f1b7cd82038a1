/** Members of an organization and their roles; changes take effect immediately. */
import { beforeAll, expect, test } from "vitest";
import { join, type Person, signIn } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

onOneDatabase((api) => {
	let owner: Person;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	const roleOf = async (person: Person) => (await person.call("GET", "/v1/me")).body.role;
	const setRole = (by: Person, whom: Person, role: string) =>
		by.call("PATCH", `/v1/members/${whom.userId}`, { body: { role } });

	test("every member sees the members, even a viewer, but API keys do not", async () => {
		const viewer = await join(api(), owner, "viewer");
		const { status, body } = await viewer.call("GET", "/v1/members");
		expect(status).toBe(200);
		expect(body.data[0]).toMatchObject({ email: owner.email, role: "owner" });
		expect(body.data.at(-1)).toMatchObject({ userId: viewer.userId, email: viewer.email, role: "viewer" });
		expect((await api().call("GET", "/v1/members")).status).toBe(403);
		const page = await viewer.call("GET", "/v1/members?limit=1");
		expect(page.body.data).toHaveLength(1);
		const next = await viewer.call("GET", `/v1/members?limit=1&cursor=${page.body.nextCursor}`);
		expect(next.body.data[0].userId).not.toBe(page.body.data[0].userId);
	});

	test("a changed role takes effect from the next call on", async () => {
		const admin = await join(api(), owner, "admin");
		expect((await admin.call("GET", "/v1/invitations")).status).toBe(200);
		const changed = await setRole(owner, admin, "viewer");
		expect([changed.status, changed.body.role]).toEqual([200, "viewer"]);
		expect((await admin.call("GET", "/v1/invitations")).status).toBe(403);
		expect((await admin.call("POST", "/v1/recordings?name=x")).status).toBe(403);
		expect(await roleOf(admin)).toBe("viewer");
	});

	test("members and viewers can change nobody, admins everybody but owners", async () => {
		const admin = await join(api(), owner, "admin");
		const member = await join(api(), owner, "member");
		const viewer = await join(api(), owner, "viewer");
		for (const weak of [member, viewer]) {
			expect((await setRole(weak, viewer, "admin")).status).toBe(403);
			expect((await weak.call("DELETE", `/v1/members/${admin.userId}`)).status).toBe(403);
			expect((await weak.call("DELETE", "/v1/members/999999")).status).toBe(403);
		}
		expect((await setRole(admin, member, "admin")).status).toBe(200);
		expect((await setRole(admin, member, "owner")).status).toBe(403);
		expect((await setRole(admin, owner, "viewer")).status).toBe(403);
		expect((await admin.call("DELETE", `/v1/members/${owner.userId}`)).status).toBe(403);
		expect((await setRole(admin, admin, "owner")).status).toBe(403);
		expect((await admin.call("PATCH", "/v1/members/999999", { body: { role: "viewer" } })).status).toBe(404);
		expect((await setRole(owner, member, "king")).body.errors[0].path).toBe("role");
	});

	test("a removed member loses all access: sessions, organizationId and open streams end", async () => {
		const member = await join(api(), owner, "member");
		const stream = await fetch(`${api().url}/v1/events`, { headers: { cookie: member.cookie() } });
		expect(stream.status).toBe(200);
		expect((await owner.call("DELETE", `/v1/members/${member.userId}`)).status).toBe(204);
		for (const path of ["/v1/me", "/v1/jobs", "/v1/members", "/v1/jobs?organizationId=1"]) {
			expect((await member.call("GET", path)).status).toBe(403);
		}
		// As long as a member may read it, it does not end.
		await stream.text();
		expect((await owner.call("DELETE", `/v1/members/${member.userId}`)).status).toBe(404);
	});

	test("the last owner can neither leave nor be demoted, and any other member can leave", async () => {
		expect((await owner.call("DELETE", `/v1/members/${owner.userId}`)).status).toBe(409);
		expect((await setRole(owner, owner, "admin")).body.code).toBe("conflict");
		const viewer = await join(api(), owner, "viewer");
		expect((await viewer.call("DELETE", `/v1/members/${viewer.userId}`)).status).toBe(204);
		expect((await viewer.call("GET", "/v1/jobs")).status).toBe(403);
		expect(await roleOf(owner)).toBe("owner");
	});

	test("one of two owners who demote or remove each other at the same moment stays", async () => {
		for (let round = 0; round < 8; round++) {
			const other = await join(api(), owner, "owner");
			const attempts =
				round % 2 === 0
					? [setRole(owner, other, "member"), setRole(other, owner, "member")]
					: [owner.call("DELETE", `/v1/members/${owner.userId}`), other.call("DELETE", `/v1/members/${other.userId}`)];
			const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
			expect(statuses[0]).toBeLessThan(300);
			expect([403, 409]).toContain(statuses[1]);
			const rows = await api().app.db.selectFrom("member").select(["userId", "role"]).execute();
			const owners = rows.filter(({ role }) => role === "owner");
			expect(owners).toHaveLength(1);
			if (owners[0]?.userId === owner.userId) continue;
			// Restore the first owner for the next round.
			if (!rows.some(({ userId }) => userId === owner.userId)) {
				await api()
					.app.db.insertInto("member")
					.values({
						organizationId: 1,
						userId: owner.userId,
						role: "member",
						createdAt: new Date().toISOString(),
					} as never)
					.execute();
			}
			expect((await other.call("POST", "/v1/organization/transfer", { body: { userId: owner.userId } })).status).toBe(
				200,
			);
			owner = await signIn(api());
		}
	});

	test("only owners can transfer ownership, and only to another member", async () => {
		const heir = await join(api(), owner, "viewer");
		const transfer = (by: Person, userId: number) => by.call("POST", "/v1/organization/transfer", { body: { userId } });
		expect((await transfer(heir, heir.userId)).status).toBe(403);
		expect((await transfer(owner, owner.userId)).status).toBe(404);
		expect((await transfer(owner, heir.userId)).status).toBe(200);
		expect([await roleOf(owner), await roleOf(heir)]).toEqual(["admin", "owner"]);
		expect((await transfer(heir, owner.userId)).status).toBe(200);
	});

	test("every change is sent to the organization's pages and recorded in the audit log", async () => {
		const changes: string[] = [];
		const unsubscribe = api().app.events.subscribe((change) => changes.push(change.type));
		const member = await join(api(), owner, "member");
		await setRole(owner, member, "viewer");
		await owner.call("DELETE", `/v1/members/${member.userId}`);
		unsubscribe();
		expect(changes.filter((type) => type === "members").length).toBeGreaterThanOrEqual(3);
		const rows = await api()
			.app.db.selectFrom("auditEntry")
			.select(["action", "detail"])
			.orderBy("id", "desc")
			.limit(4)
			.execute();
		expect(rows.map(({ action }) => action)).toEqual([
			"member.removed",
			"member.role_changed",
			"invitation.accepted",
			"invitation.created",
		]);
		expect(JSON.parse(rows[1]?.detail ?? "")).toEqual({ from: "member", to: "viewer" });
	});
});
