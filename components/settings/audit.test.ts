import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from "@tapedeck/contract/audit.ts";
import { expect, test } from "vitest";
import { formatExact } from "#lib/client/format.ts";
import { auditDetails } from "./audit.ts";
import { actionLabel, sentenceOf } from "./audit-sentence.ts";

const ada = { kind: "user", id: 1, name: "Ada" } as const;
const sentence = (action: AuditAction, more: Partial<Pick<AuditEntry, "actor" | "target" | "detail">> = {}): string => {
	const { before, name, after } = sentenceOf({ action, actor: ada, target: null, detail: {}, ...more });
	return `${more.actor?.name ?? "Ada"} ${before}${name ?? ""}${after}`;
};
const details = (detail: AuditEntry["detail"], action: AuditAction = "job.changed") => auditDetails({ action, detail });

test.each(AUDIT_ACTIONS)("an entry of %s is a sentence, with and without a name", (action) => {
	const recording = { kind: "recording", id: 3, name: "login" } as const;
	const named = sentence(action, { target: recording });
	expect(named).toMatch(/^Ada [a-z ]+/);
	expect(named).toContain("“login”");
	expect(sentence(action)).toBe(`Ada ${actionLabel(action)}`);
	for (const text of [named, sentence(action)]) expect(text).not.toMatch(/[{}_]|\.|undefined|null/);
});

test.each<[AuditAction, Partial<AuditEntry>, string]>([
	["recording.deleted", { target: { kind: "recording", id: 3, name: "login" } }, "Ada deleted the recording “login”"],
	[
		"link.revoked",
		{ target: { kind: "recording", id: 3, name: "a" } },
		"Ada revoked a share link of the recording “a”",
	],
	["member.removed", { target: { kind: "user", id: 2, name: "Bo" } }, "Ada removed Bo"],
	["password.changed", { target: ada }, "Ada changed their password"],
	["webhook.created", { detail: { webhook: "https://a.test" } }, "Ada created the webhook “https://a.test”"],
	["build.finish_announced", { detail: { build: "shop 41" } }, "Ada said that the build “shop 41” is complete"],
	["test_run.deleted", { detail: { name: "nightly" } }, "Ada deleted the test run “nightly”"],
	["device_sign_in.approved", { detail: { device: "laptop" } }, "Ada let the terminal “laptop” sign in"],
])("the sentence of %s %o reads: %s", (action, more, text) => {
	expect(sentence(action, more)).toBe(text);
});

test("an entry's detail is readable, without internal ids", () => {
	const at = "2026-11-22T12:00:00.000Z";
	expect(details({ from: "viewer", to: "admin" })).toEqual(["from viewer", "to admin"]);
	expect(details({ runnerId: 1, linkId: 4, replacedBy: 2, maxBytes: null })).toEqual([]);
	expect(details({ scopes: ["jobs:read", "jobs:write"], expiresAt: at })).toEqual([
		"jobs:read, jobs:write",
		`expires ${formatExact(at)}`,
	]);
	expect(details({ oldEndsAt: Date.parse(at) })).toEqual([`old token works until ${formatExact(at)}`]);
	expect(details({ count: 2, bytes: 1_500_000 })).toEqual(["2 sessions", "1.5 MB"]);
	expect(details({ name: "nightly", testRunId: 3, causes: [{ cause: "a" }] }, "test_run.let_through")).toEqual([
		"1 known cause",
	]);
	expect(details({ reason: "disk", deleted: "more than 20", of: 40 })).toEqual([
		"because the disk was too full",
		"more than 20 of 40 recordings",
	]);
	expect(details({ labels: { build: "12", branch: null }, outcome: "failed" })).toEqual([
		"build=12, without the label branch",
		"outcome failed",
	]);
	expect(details({ limits: { maxRunners: 3, namePattern: null, labels: { team: "a" }, displays: [":99"] } })).toEqual([
		"max runners 3, labels team=a, displays :99",
	]);
	expect(details({ fromALaterVersion: { a: 1 } })).toEqual(["from a later version: a=1"]);
});
