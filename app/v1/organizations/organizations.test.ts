/** Several organizations: created, renamed, switched between, and kept apart. */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { invite, join, type Person, signIn } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

onOneDatabase((api) => {
	let owner: Person;
	beforeAll(async () => {
		owner = await signIn(api());
	});
	const create = (by: Person, name: string) => by.call("POST", "/v1/organizations", { body: { name } });
	const switchTo = (person: Person, organizationId: number) =>
		person.call("POST", "/api/auth/organization/set-active", { body: { organizationId: String(organizationId) } });

	beforeEach(async () => {
		await switchTo(owner, 1);
	});

	test("owners and admins can create another organization, which is theirs alone, and switch to it", async () => {
		const member = await join(api(), owner, "member");
		const { organizationName, organizations } = (await owner.call("GET", "/v1/me")).body;
		expect((await create(member, "Mine")).status).toBe(403);
		const created = await create(owner, "Second");
		expect([created.status, created.body.name]).toEqual([201, "Second"]);
		expect((await owner.call("GET", "/v1/me")).body.organizationName).toBe(organizationName);
		expect((await switchTo(owner, created.body.id)).status).toBe(200);
		const me = (await owner.call("GET", "/v1/me")).body;
		expect(me).toMatchObject({ organizationId: created.body.id, organizationName: "Second", role: "owner" });
		expect(me.organizations).toHaveLength(organizations.length + 1);
		expect((await owner.call("GET", "/v1/members")).body.data).toHaveLength(1);
		expect((await switchTo(member, created.body.id)).status).toBe(403);
	});

	test("organizationId selects one of the caller's organizations, and any other is refused", async () => {
		const { id } = (await create(owner, "Third")).body;
		const member = await join(api(), owner, "admin");
		const members = (query: string) => owner.call("GET", `/v1/members${query}`);
		expect((await members(`?organizationId=${id}`)).body.data).toHaveLength(1);
		expect((await members("?organizationId=1")).body.data.length).toBeGreaterThan(1);
		expect((await member.call("GET", `/v1/members?organizationId=${id}`)).status).toBe(403);
		const invited = await owner.call("POST", `/v1/invitations?organizationId=${id}`, { body: { role: "viewer" } });
		const token = new URL(invited.body.url).hash.slice(1);
		const joined = await member.call("POST", "/v1/invitations/accept", { body: { token } });
		expect(joined.body).toMatchObject({ organizationId: id, role: "viewer" });
		// The organization joined last is the active one.
		expect((await member.call("GET", "/v1/me")).body.organizationId).toBe(id);
		expect((await member.call("GET", "/v1/invitations")).status).toBe(403);
		expect((await member.call("GET", "/v1/invitations?organizationId=1")).status).toBe(200);
		expect(
			(await member.call("PATCH", `/v1/members/${owner.userId}?organizationId=1`, { body: { role: "viewer" } })).status,
		).toBe(403);
	});

	test("an admin of one organization has no access to another", async () => {
		const { id } = (await create(owner, "Fourth")).body;
		const outsider = await join(api(), owner, "admin");
		const query = `?organizationId=${id}`;
		expect((await outsider.call("DELETE", `/v1/members/${owner.userId}${query}`)).status).toBe(403);
		const { id: invitationId } = await invite(owner, "viewer");
		const foreign = await owner.call("DELETE", `/v1/invitations/${invitationId}${query}`);
		expect(foreign.status).toBe(404);
		expect((await owner.call("DELETE", `/v1/members/${outsider.userId}${query}`)).status).toBe(404);
	});

	test("a new name is visible to everybody; only owners and admins can set it", async () => {
		const viewer = await join(api(), owner, "viewer");
		const rename = (by: Person) => by.call("PATCH", "/v1/organization", { body: { name: "Renamed" } });
		expect((await rename(viewer)).status).toBe(403);
		expect((await rename(owner)).body).toEqual({ id: 1, name: "Renamed" });
		expect((await viewer.call("GET", "/v1/me")).body.organizationName).toBe("Renamed");
	});
});
