/** Saved views: whose they are, who may change them, and what a name and a query may be. */
import type { SavedView } from "@tapedeck/contract/view.ts";
import { beforeAll, expect, test } from "vitest";
import { MAX_VIEWS } from "#lib/recordings/saved-views.ts";
import { join, type Person, signIn } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

onOneDatabase((api) => {
	let owner: Person;
	let viewer: Person;
	beforeAll(async () => {
		owner = await signIn(api());
		viewer = await join(api(), owner, "viewer");
	});

	const BLACK = { page: "recordings", name: "Black videos", query: "q=verdict%3Ablack" };
	const save = async (person: Person, changes: object = {}): Promise<SavedView> => {
		const { status, body } = await person.call("POST", "/v1/views", { body: { ...BLACK, ...changes } });
		expect([status, body]).toEqual([201, expect.anything()]);
		return body;
	};
	const namesOf = async (person: Person, query = ""): Promise<string[]> =>
		(await person.call("GET", `/v1/views${query}`)).body.data.map(({ name }: SavedView) => name);

	test("a view is its owner's alone, and an organization's view is everyone's", async () => {
		const own = await save(owner, { name: "Own" });
		expect(own).toMatchObject({ page: "recordings", name: "Own", query: "q=verdict%3Ablack", shared: false });
		const shared = await save(owner, { name: "Of all 10", shared: true });
		await save(owner, { name: "Of all 9", shared: true, page: "jobs" });
		expect(await namesOf(owner)).toEqual(["Of all 9", "Of all 10", "Own"]);
		expect(await namesOf(viewer)).toEqual(["Of all 9", "Of all 10"]);
		expect(await namesOf(viewer, "?page=jobs")).toEqual(["Of all 9"]);
		for (const method of ["PATCH", "DELETE"]) {
			const answer = await viewer.call(method, `/v1/views/${own.id}`, { body: { name: "Mine" } });
			expect(answer.status).toBe(404);
		}
		expect((await owner.call("PATCH", `/v1/views/${shared.id}`, { body: { name: "Renamed" } })).body).toMatchObject({
			name: "Renamed",
			query: "q=verdict%3Ablack",
			shared: true,
		});
		expect(await namesOf(viewer)).toEqual(["Of all 9", "Renamed"]);
		expect((await owner.call("DELETE", `/v1/views/${shared.id}`)).status).toBe(204);
		expect((await owner.call("DELETE", `/v1/views/${shared.id}`)).status).toBe(404);
		expect(await namesOf(viewer)).toEqual(["Of all 9"]);
	});

	test("viewers have views of their own and cannot change the organization's", async () => {
		const shared = await save(owner, { name: "Kept", shared: true });
		const own = await save(viewer, { name: "A viewer's" });
		expect((await viewer.call("PATCH", `/v1/views/${own.id}`, { body: { query: "q=x" } })).body.query).toBe("q=x");
		const refused = await viewer.call("POST", "/v1/views", { body: { ...BLACK, shared: true } });
		expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("your role is viewer")]);
		expect((await viewer.call("PATCH", `/v1/views/${shared.id}`, { body: { name: "x" } })).status).toBe(403);
		expect((await viewer.call("DELETE", `/v1/views/${shared.id}`)).status).toBe(403);
		expect((await viewer.call("DELETE", `/v1/views/${own.id}`)).status).toBe(204);
		expect(await namesOf(owner)).toContain("Kept");
	});

	test("a search that the lists refuse cannot be saved", async () => {
		const words = Array.from({ length: 21 }, (_, index) => `w${index}`).join(" ");
		const { id } = await save(owner, { name: "Short", query: `${new URLSearchParams({ q: words.slice(0, -4) })}` });
		for (const q of [words, "outcome:maybe"]) {
			const query = `${new URLSearchParams({ q, sort: "bytes" })}`;
			for (const [method, path] of [
				["POST", "/v1/views"],
				["PATCH", `/v1/views/${id}`],
			] as const) {
				const body = method === "POST" ? { ...BLACK, query } : { query };
				const { status, body: problem } = await owner.call(method, path, { body });
				expect([status, problem.errors[0].path]).toEqual([422, "query"]);
				expect(problem.detail).toMatch(/at most 20 words and filters: remove 1\.|Use outcome: with one of/);
			}
		}
	});

	test("only changes of the organization's views are in the audit log", async () => {
		const own = await save(owner, { name: "Quiet" });
		await owner.call("PATCH", `/v1/views/${own.id}`, { body: { name: "Still quiet" } });
		const shared = await save(owner, { name: "Loud", shared: true });
		await owner.call("PATCH", `/v1/views/${shared.id}`, { body: { name: "Louder" } });
		await owner.call("DELETE", `/v1/views/${shared.id}`);
		const { data } = (
			await owner.call("GET", "/v1/audit-log?action=view.created&action=view.changed&action=view.deleted")
		).body;
		const logged = data
			.slice(0, 3)
			.map(({ action, detail }: { action: string; detail: { view: string } }) => [action, detail.view]);
		expect(logged).toEqual([
			["view.deleted", "Louder"],
			["view.changed", "Louder"],
			["view.created", "Loud"],
		]);
		expect(JSON.stringify(data)).not.toContain("uiet");
	});

	test.each<[string, object]>([
		["page", { page: "runners" }],
		["name", { name: " " }],
		["name", { name: "x".repeat(81) }],
		["name", { name: "a\nb" }],
		["query", { query: "" }],
		["query", { query: "?q=x" }],
		["query", { query: "q=\u0000" }],
		["query", { query: "x".repeat(4_001) }],
		["shared", { shared: "yes" }],
		["owner", { owner: 1 }],
	])("a bad %s is refused at its place: %j", async (path, changes) => {
		const { status, body } = await owner.call("POST", "/v1/views", { body: { ...BLACK, ...changes } });
		expect([status, body.errors?.[0]?.path]).toEqual([422, path]);
	});

	test("nobody has more views than a menu can show", async () => {
		const person = await join(api(), owner, "viewer");
		for (let count = 0; count < MAX_VIEWS; count++) await save(person, { name: `View ${count}` });
		const refused = await person.call("POST", "/v1/views", { body: BLACK });
		expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining("Delete one first")]);
		await save(viewer, { name: "Another person's" });
	});

	test("API keys have no views", async () => {
		expect((await api().call("GET", "/v1/views")).status).toBe(403);
	});
});
