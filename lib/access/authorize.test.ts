import {
	can,
	PERMISSIONS,
	type Permission,
	type PermissionRule,
	ROLES,
	type Role,
	SCOPES,
	type Scope,
} from "@tapedeck/contract/permissions.ts";
import { describe, expect, test } from "vitest";
import type { Actor } from "#lib/core/context.ts";
import { authorize, refusalOf } from "./authorize.ts";

const user = (role: Role): Actor => ({ kind: "user", organizationId: 1, userId: 1, name: "Ada", role });
const key = (scopes: readonly Scope[], creatorRole: Role | null): Actor => ({
	...{ kind: "apiKey", organizationId: 1, apiKeyId: 1, name: "CI" },
	...{ scopes, creatorRole },
});
const runner: Actor = { kind: "runner", organizationId: 1, runnerTokenId: 1, name: "Fleet" };
const link: Actor = { kind: "link", organizationId: 1, recordingId: 1 };
const isAllowed = (permission: Permission, actor: Actor): boolean => refusalOf(permission, actor) === null;

describe.each(Object.entries(PERMISSIONS) as [Permission, PermissionRule][])("%s", (permission, rule) => {
	test("is granted to its role and every higher role", () => {
		for (const role of ROLES) expect(isAllowed(permission, user(role))).toBe(can(role, permission));
		if (rule.role === undefined) for (const role of ROLES) expect(can(role, permission)).toBe(false);
		else for (const role of ROLES.slice(0, ROLES.indexOf(rule.role) + 1)) expect(can(role, permission)).toBe(true);
	});

	test("is granted to a key by its scope alone, as long as the key's creator has it too", () => {
		for (const scope of SCOPES) {
			expect(isAllowed(permission, key([scope], null))).toBe(rule.scope === "any" || rule.scope === scope);
		}
		for (const role of ROLES) {
			expect(isAllowed(permission, key(SCOPES, role))).toBe(rule.scope !== undefined && can(role, permission));
		}
	});

	test("is granted to runners where the table says so, and never to links", () => {
		expect(isAllowed(permission, runner)).toBe(rule.runner === true);
		expect(isAllowed(permission, link)).toBe(false);
	});
});

test("a member's key can rename runners like the member, and neither can remove them", () => {
	for (const actor of [user("member"), key(["runners:write"], "member")]) {
		expect(isAllowed("runners:rename", actor)).toBe(true);
		expect(isAllowed("runners:manage", actor)).toBe(false);
	}
});

test("a page of another site cannot change anything, with or without credentials, on public endpoints too", () => {
	const call = {
		...{ method: "POST", headers: new Headers({ "sec-fetch-site": "cross-site" }) },
		...{ hasToken: false, trustedOrigins: [] },
	};
	expect(() => authorize({ ...call, permission: "public", actor: null })).toThrow(/another site/);
	expect(() => authorize({ ...call, permission: "jobs:write", actor: user("owner") })).toThrow(/another site/);
	expect(() => authorize({ ...call, permission: "public", actor: null, method: "GET" })).not.toThrow();
	expect(() =>
		authorize({ ...call, permission: "jobs:write", actor: key(SCOPES, null), hasToken: true }),
	).not.toThrow();
});
