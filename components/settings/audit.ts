/** The audit log, for owners and admins. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import type { AuditAction, AuditEntry } from "@tapedeck/contract/audit.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { call, queryString } from "#lib/client/api.ts";
import { counted, formatBytes, formatExact } from "#lib/client/format.ts";

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
		initialPageParam: undefined as string | undefined,
		queryFn: ({ pageParam, signal }) =>
			call<Page<AuditEntry>>("GET", "/v1/audit-log", {
				query: { ...queryOf(search), cursor: pageParam, limit: 50 },
				signal,
			}),
		getNextPageParam: (page) => page.nextCursor ?? undefined,
	});

/** Download URL of the matching entries as JSON lines. */
export const auditExportPath = (search: AuditSearch): string => `/v1/audit-log/export${queryString(queryOf(search))}`;

const exact = (at: unknown): string => formatExact(typeof at === "number" ? new Date(at).toISOString() : String(at));

/** Labels for the keys of an entry's detail. `runnerId` is missing because the page shows the runner's name. */
const DETAILS: Record<string, (value: unknown) => string | null> = {
	runnerId: () => null,
	replacedBy: () => null,
	linkId: () => null,
	viewId: () => null,
	webhookId: () => null,
	webhook: (url) => String(url),
	scheduleId: (id) => `schedule ${id}`,
	everySeconds: (seconds) => `every ${seconds} s`,
	view: (name) => String(name),
	device: (name) => String(name),
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
	scopes: (scopes) => (scopes as string[]).join(", "),
	expiresAt: (at) => `expires ${exact(at)}`,
	oldEndsAt: (at) => `old token works until ${exact(at)}`,
	maxAgeDays: (days) => `keep for ${counted(Number(days), "day", "days")}`,
	maxDiskPercent: (percent) => `up to ${percent}% of the disk`,
	maxBytes: (bytes) => `up to ${formatBytes(Number(bytes))}`,
	deleted: (number) => String(number),
	of: (number) => `of ${number}`,
	lastSeenAt: (at) => `after ${exact(at)}`,
};

/** An entry's detail as short texts. */
export const auditDetails = (detail: AuditEntry["detail"]): string[] =>
	Object.entries(detail).flatMap(([key, value]) => {
		if (value === null) return [];
		const text = DETAILS[key] === undefined ? `${key}: ${JSON.stringify(value)}` : DETAILS[key](value);
		return text === null ? [] : [text];
	});
