/** The audit log, for owners and admins. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import type { AuditAction, AuditEntry } from "../contract/audit.ts";
import type { Page } from "../contract/page.ts";
import { call, queryString } from "./api.ts";

/** What is looked for; each as the API takes it, empty for all. */
export interface AuditSearch {
	action: AuditAction | "";
	/** `user:3` */
	actor: string;
	/** `recording:12` */
	target: string;
	/** Days, `2026-11-21`, where the person is; both included. */
	from: string;
	to: string;
}
export const NO_SEARCH: AuditSearch = { action: "", actor: "", target: "", from: "", to: "" };

const DAY_MS = 86_400_000;
const midnight = (day: string, days = 0): string | undefined =>
	day === "" ? undefined : new Date(new Date(`${day}T00:00`).getTime() + days * DAY_MS).toISOString();

const askedFor = ({ from, to, ...rest }: AuditSearch) => ({ ...rest, after: midnight(from), before: midnight(to, 1) });

export const auditQuery = (search: AuditSearch) =>
	infiniteQueryOptions({
		queryKey: ["audit-log", search] as const,
		initialPageParam: undefined as string | undefined,
		queryFn: ({ pageParam, signal }) =>
			call<Page<AuditEntry>>("GET", "/v1/audit-log", {
				query: { ...askedFor(search), cursor: pageParam, limit: 50 },
				signal,
			}),
		getNextPageParam: (page) => page.nextCursor ?? undefined,
	});

/** Where the entries that are looked for are downloaded as JSON lines. */
export const auditExportPath = (search: AuditSearch): string => `/v1/audit-log/export${queryString(askedFor(search))}`;
