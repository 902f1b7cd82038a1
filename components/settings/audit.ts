/** The audit log, for owners and admins. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import type { AuditAction, AuditEntry } from "@tapedeck/contract/audit.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { queryString } from "#lib/client/api.ts";
import { counted, formatBytes, formatExact, formatSpan } from "#lib/client/format.ts";
import { pagesOf } from "#lib/client/paging.ts";
import { nameKeyOf } from "./audit-sentence.ts";

/** The filters, as the API takes them; empty for all. */
export interface AuditSearch {
	action: AuditAction | "";
	/** `user:3` */
	actor: string;
	/** `recording:12` */
	target: string;
	/** Days in the browser's time zone, `2026-11-21`; both inclusive. */
	from: string;
	to: string;
}
export const NO_SEARCH: AuditSearch = { action: "", actor: "", target: "", from: "", to: "" };

const DAY_MS = 86_400_000;
const midnight = (day: string, days = 0): string | undefined =>
	day === "" ? undefined : new Date(new Date(`${day}T00:00`).getTime() + days * DAY_MS).toISOString();

const queryOf = ({ from, to, ...rest }: AuditSearch) => ({ ...rest, after: midnight(from), before: midnight(to, 1) });

export const auditQuery = (search: AuditSearch) =>
	infiniteQueryOptions({
		queryKey: ["audit-log", search] as const,
		...pagesOf<Page<AuditEntry>>("/v1/audit-log", () => ({ ...queryOf(search), limit: 50 })),
	});

/** Download URL of the matching entries as JSON lines. */
export const auditExportPath = (search: AuditSearch): string => `/v1/audit-log/export${queryString(queryOf(search))}`;

const exact = (at: unknown): string => formatExact(typeof at === "number" ? new Date(at).toISOString() : String(at));
const yesOrNo = (yes: string, no: string) => (value: unknown) => (value === true ? yes : no);
const listed = (values: unknown): string => (values as unknown[]).join(", ");

/** Numbers of other objects, which say nothing to a reader, and parts of sentences. */
const HIDDEN = [
	"runnerId",
	"replacedBy",
	"linkId",
	"viewId",
	"webhookId",
	"messageId",
	"attachmentId",
	"resultId",
	"testRunId",
	"of",
];

/** Labels for the keys of an entry's detail. */
const DETAILS: Record<string, (value: unknown, detail: AuditEntry["detail"]) => string> = {
	scheduleId: (id) => `schedule ${id}`,
	everySeconds: (seconds) => `every ${formatSpan(Number(seconds))}`,
	deviceAddress: (address) => `at ${address}`,
	page: (page) => `of ${page}`,
	query: (query) => String(query),
	role: (role) => `as ${role}`,
	via: (way) => `by ${way}`,
	from: (role) => `from ${role}`,
	to: (role) => `to ${role}`,
	before: (name) => `previously ${name}`,
	because: (reason) => String(reason),
	count: (count) => counted(Number(count), "session", "sessions"),
	bytes: (bytes) => formatBytes(Number(bytes)),
	scopes: listed,
	expiresAt: (at) => `expires ${exact(at)}`,
	oldEndsAt: (at) => `old token works until ${exact(at)}`,
	deleteAt: (at) => `to be deleted on ${exact(at)}`,
	maxAgeDays: (days) => `keep for ${counted(Number(days), "day", "days")}`,
	maxDiskPercent: (percent) => `up to ${percent}% of the disk`,
	maxBytes: (bytes) => `up to ${formatBytes(Number(bytes))}`,
	deleted: (number, { of }) => `${number} of ${counted(Number(of), "recording", "recordings")}`,
	lastSeenAt: (at) => `after ${exact(at)}`,
	reason: (reason) => REASONS[String(reason)] ?? String(reason),
	days: (days) => `for ${counted(Number(days), "day", "days")}`,
	labels: (labels) =>
		Object.entries(labels as Record<string, string | null>)
			.map(([key, value]) => (value === null ? `without the label ${key}` : `${key}=${value}`))
			.join(", "),
	outcome: (outcome) => `outcome ${outcome}`,
	keep: (keep) => (keep === "failed" ? "keep failed ones only" : "keep always"),
	graceSeconds: (seconds) => `passed ones are kept for ${formatSpan(Number(seconds))}`,
	maxDurationSeconds: (seconds) => `at most ${formatSpan(Number(seconds))} long`,
	limits: (limits) => parts(limits),
	video: (video) => parts(video),
	kind: (kind) => (kind === "standard" ? "signed payloads" : `messages for ${kind}`),
	events: listed,
	q: (q) => (q === "" ? "every event" : `only ${q}`),
	onlyNew: yesOrNo("only with new failures", "with and without new failures"),
	paused: yesOrNo("paused", "resumed"),
	expectedJobs: (count) => `${counted(Number(count), "job", "jobs")} expected`,
	opens: (what) => `opens the ${what}`,
	include: (shown) => ((shown as unknown[]).length === 0 ? "the video alone" : `with ${listed(shown)}`),
	causes: (causes) => counted((causes as unknown[]).length, "known cause", "known causes"),
};

/** Rules that delete recordings and remove runners. */
const REASONS: Record<string, string> = {
	age: "by the age limit",
	size: "by the storage limit",
	disk: "because the disk was too full",
	passed: "because its test passed",
	offline: "because it was offline",
};

/** Options in words: `max runners 3, name pattern ci-*`. */
const parts = (options: unknown): string =>
	Object.entries(options as Record<string, unknown>)
		.filter(([, value]) => value !== null && value !== undefined)
		.map(([key, value]) => `${wordsOf(key)} ${textOf(value)}`)
		.join(", ");
const wordsOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.map(textOf).join(" ");
	if (typeof value !== "object" || value === null) return String(value);
	return Object.entries(value)
		.map(([key, one]) => `${key}=${textOf(one)}`)
		.join(" ");
}

/** An entry's detail as short texts, without the name that its sentence has. */
export const auditDetails = ({ action, detail }: Pick<AuditEntry, "action" | "detail">): string[] =>
	Object.entries(detail).flatMap(([key, value]) => {
		if (value === null || HIDDEN.includes(key) || key === nameKeyOf(action)) return [];
		const text = DETAILS[key]?.(value, detail) ?? `${wordsOf(key)}: ${textOf(value)}`;
		return text === "" ? [] : [text];
	});
