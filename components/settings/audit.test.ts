import { expect, test } from "vitest";
import { formatExact } from "#lib/client/format.ts";
import { auditDetails } from "./audit.ts";

test("an entry's detail is readable, without internal ids", () => {
	const at = "2026-11-22T12:00:00.000Z";
	expect(auditDetails({ from: "viewer", to: "admin" })).toEqual(["from viewer", "to admin"]);
	expect(auditDetails({ runnerId: 1, linkId: 4, replacedBy: 2, maxBytes: null })).toEqual([]);
	expect(auditDetails({ scopes: ["jobs:read", "jobs:write"], expiresAt: at })).toEqual([
		"jobs:read, jobs:write",
		`expires ${formatExact(at)}`,
	]);
	expect(auditDetails({ oldEndsAt: Date.parse(at) })).toEqual([`old token works until ${formatExact(at)}`]);
	expect(auditDetails({ count: 2, bytes: 1_500_000 })).toEqual(["2 sessions", "1.5 MB"]);
	expect(auditDetails({ fromALaterVersion: { a: 1 } })).toEqual(['fromALaterVersion: {"a":1}']);
});
