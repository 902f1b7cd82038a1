/**
 * Calls every endpoint as every kind of actor: fails for a route without a row, and for one that admits anyone else.
 */
import { readFile } from "node:fs/promises";
import { ROLES, type Role, SCOPES, type Scope } from "@tapedeck/contract/permissions.ts";
import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertOrganization, insertUser } from "#lib/auth/better-auth/account-rows.ts";
import { accountTables } from "#lib/auth/better-auth/account-tables.ts";
import type { DeclaredRoute } from "#lib/http/route-definition.ts";
import { MATRIX, type Row } from "#test/access-matrix.ts";
import { invite, join, PASSWORD, type Person, signIn } from "#test/api-people.ts";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

type Headers = Record<string, string>;

const declared = await (async () => {
	const api = await startTestApi();
	await api.stop();
	return api.app.routes;
})();
const nameOf = ({ method, path }: DeclaredRoute) => `${method} ${path}`;

let api: TestApi;
const people = {} as Record<Role, Headers>;
const keys = {} as Record<Scope, Headers>;
let invalidKeys: Record<"expired" | "revoked", Headers>;
let runner: Headers;
let foreign: Record<"owner" | "key" | "runner", Headers>;
/** The organization's own objects, by path parameter. */
let real: Record<string, string | number>;

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const cookie = (person: Person): Headers => ({ cookie: person.cookie(), origin: api.url });

beforeAll(async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_CALLS: "0", TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "0" });
	const owner = await signIn(api);
	for (const role of ROLES) people[role] = cookie(role === "owner" ? owner : await join(api, owner, role));
	for (const scope of SCOPES) keys[scope] = bearer((await makeKey(owner, [scope])).secret);
	const [expired, revoked] = [await makeKey(owner), await makeKey(owner)];
	await api.app.db.updateTable("apiKey").set({ expiresAt: 1 }).where("id", "=", expired.id).execute();
	await owner.call("DELETE", `/v1/api-keys/${revoked.id}`);
	api.app.credentials.forget();
	invalidKeys = { expired: bearer(expired.secret), revoked: bearer(revoked.secret) };
	runner = bearer(TEST_RUNNER_TOKEN);
	const otherOwner = await foreignOwner();
	const foreignToken = (await otherOwner.call("POST", "/v1/runner-tokens", { body: { name: "Foreign" } })).body.secret;
	foreign = {
		owner: cookie(otherOwner),
		key: bearer((await makeKey(otherOwner)).secret),
		runner: bearer(foreignToken),
	};
	real = await createObjects(owner);
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});

const makeKey = async (person: Person, scopes?: Scope[]): Promise<{ id: number; secret: string }> =>
	(await person.call("POST", "/v1/api-keys", { body: { name: "Matrix", ...(scopes ? { scopes } : {}) } })).body;

async function foreignOwner(): Promise<Person> {
	const db = accountTables(api.app.db);
	const organizationId = await insertOrganization(db, "Foreign", Date.now());
	const user = { name: "Stranger", email: "stranger@example.com", passwordHash: await hashPassword(PASSWORD) };
	await insertUser(db, { organizationId, role: "owner" }, user, Date.now());
	return signIn(api, user.email, PASSWORD);
}

async function createObjects(owner: Person): Promise<Record<string, string | number>> {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const { runnerId } = await api.signIn();
	const job = { runnerId, displayId: ":99", name: "Secret job", stopCondition: "interrupt" };
	const create = async (path: string, options: object): Promise<number> =>
		(await api.call("POST", path, options)).body.id;
	const jobId = await create("/v1/jobs", { body: job });
	const headers = { "content-type": "video/mp4" };
	const recordingId = await create("/v1/recordings?name=Secret", { raw: video, headers });
	const link = (await api.call("POST", `/v1/recordings/${recordingId}/links`, { body: { expiresAt: null } })).body;
	const guest = await join(api, owner, "viewer");
	return {
		...{ jobId, recordingId, runnerId, linkId: link.id, displayId: ":99", userId: guest.userId },
		markerId: await create(`/v1/jobs/${jobId}/markers`, { body: { label: "Secret" } }),
		apiKeyId: (await makeKey(owner)).id,
		runnerTokenId: (await owner.call("POST", "/v1/runner-tokens", { body: { name: "Matrix" } })).body.id,
		invitationId: (await invite(owner, "viewer")).id,
		sessionId: (await guest.call("GET", "/v1/me/sessions")).body.data[0].id,
		uploadId: await beginUpload(),
		token: link.url.split("/").at(-1),
	};
}

async function beginUpload(): Promise<string> {
	const headers = { "tus-resumable": "1.0.0", "upload-length": "1000" };
	const answer = await api.call("POST", "/v1/uploads", { headers });
	return answer.headers.get("location")?.split("/").at(-1) ?? "";
}

const ABSENT: Record<string, string> = { uploadId: "f".repeat(32), displayId: ":98", token: "x".repeat(32) };
const pathOf = (path: string, things: Record<string, string | number>): string =>
	path.replace(/:(\w+)/g, (_, name) => String(things[name] ?? ABSENT[name] ?? 999_999_999)) +
	(path === "/v1/recordings"
		? "?name=x"
		: path === "/v1/recordings/download"
			? "?id=999999999"
			: path.endsWith("/frame")
				? "?at=0"
				: path.endsWith("/picture")
					? "?ageMs=0"
					: "");

/** Makes a call, and aborts responses that do not end by themselves. */
async function request(
	route: DeclaredRoute,
	row: Row,
	headers: Headers,
	things = {},
): Promise<{ status: number; text: unknown }> {
	const controller = new AbortController();
	const body = row.body === undefined ? undefined : JSON.stringify(row.body);
	const answer = await fetch(api.url + pathOf(route.path, things), {
		method: route.method,
		headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...row.headers, ...headers },
		body,
		signal: controller.signal,
	});
	const isProblem = route.method !== "HEAD" && answer.headers.get("content-type") === "application/problem+json";
	// Plain text, as tus uses, is short; other forms may be endless streams.
	const isLine = answer.headers.get("content-type")?.startsWith("text/plain") === true;
	const text = isLine
		? await answer.text()
		: isProblem
			? { ...((await answer.json()) as object), requestId: "" }
			: null;
	controller.abort();
	return { status: answer.status, text };
}

test("the matrix has a row for every route, and no others", () => {
	expect(declared.map(nameOf).sort()).toEqual(Object.keys(MATRIX).sort());
});

describe.each(declared.map((route) => [nameOf(route), route] as const))("%s", (name, route) => {
	const row = MATRIX[name] as Row;
	const status = async (headers: Headers) => (await request(route, row, headers)).status;

	test("refuses callers without valid credentials: none, expired, revoked", async () => {
		const expected = row.open === true ? row.status : 401;
		expect([await status({}), await status(invalidKeys.expired), await status(invalidKeys.revoked)]).toEqual([
			expected,
			expected,
			expected,
		]);
	});

	test("admits the roles, scopes and runners of its row, and nobody else", async () => {
		const refused = row.refusal ?? 403;
		const expected: Record<string, number> = {};
		const found: Record<string, number> = {};
		for (const role of ROLES) {
			const may = row.role !== null && ROLES.indexOf(role) <= ROLES.indexOf(row.role);
			expected[role] = may ? row.status : refused;
			found[role] = await status(people[role]);
		}
		for (const scope of SCOPES) {
			expected[scope] = row.scope === scope || row.scope === "any" ? row.status : refused;
			found[scope] = await status(keys[scope]);
		}
		expected.runner = row.open === true ? row.status : (row.runner ?? refused);
		found.runner = await status(runner);
		expect(found).toEqual(expected);
	});

	const refusedRoles = ROLES.filter((role) => row.role === null || ROLES.indexOf(role) > ROLES.indexOf(row.role));
	const decides = route.definition.body !== undefined && row.open !== true && refusedRoles.length > 0;
	if (decides) {
		test("refuses roles without the permission before it reads the body", async () => {
			const headers = { "content-type": "application/json" };
			const answers = refusedRoles.map((role) =>
				fetch(api.url + pathOf(route.path, {}), {
					method: route.method,
					headers: { ...headers, ...people[role] },
					body: "{",
				}),
			);
			expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual(refusedRoles.map(() => 403));
		});
	}

	const isPrivateObject = route.path.includes(":") && row.open !== true && route.method !== "OPTIONS";
	if (!isPrivateObject) return;
	test("answers callers of another organization as if the object did not exist", async () => {
		for (const headers of Object.values(foreign)) {
			const absent = await request(route, row, headers);
			expect(await request(route, row, headers, real)).toEqual(absent);
			expect(absent.status).toBeGreaterThanOrEqual(400);
		}
	});
});
