/** The filters of the jobs list, and their form in the URL. */
import type { Job } from "@tapedeck/contract/job.ts";
import { JOB_STATUSES, type JobStatus } from "@tapedeck/contract/job-status.ts";
import { AGES, type Age, createdQuery, isCreatedWithin, isDay } from "./ages.ts";
import { LONGEST_SEARCH } from "./search-terms.ts";

export interface JobFilters {
	status?: JobStatus[];
	runnerId?: number;
	q?: string;
	/** Created within this time; with `from` or `to` it does not count. */
	age?: Age;
	/** Created on this day or later, as `2026-11-23` in the time zone of the browser. */
	from?: string;
	/** Created on this day or earlier. */
	to?: string;
	/** The oldest job first. */
	order?: "asc";
}

const CANCELLABLE: readonly JobStatus[] = ["queued", "starting", "recording"];
/** Whether cancelling would still have an effect. */
export const isCancellable = (job: Job): boolean => CANCELLABLE.includes(job.status);

/** The filters of a URL; invalid ones are left out. Equal filters give equal objects. */
export function filtersFromSearch(params: URLSearchParams): JobFilters {
	const asked = new Set(params.getAll("status"));
	const status = JOB_STATUSES.filter((one) => asked.has(one));
	const runner = params.get("runnerId") ?? "";
	const q = (params.get("q") ?? "").trim().slice(0, LONGEST_SEARCH);
	const dayOf = (name: "from" | "to") => {
		const day = params.get(name) ?? "";
		return isDay(day) ? { [name]: day } : {};
	};
	const days: Pick<JobFilters, "from" | "to"> = { ...dayOf("from"), ...dayOf("to") };
	const age = (Object.keys(AGES) as Age[]).find((one) => one === params.get("age"));
	return {
		...(status.length > 0 ? { status } : {}),
		...(/^[1-9]\d{0,15}$/.test(runner) ? { runnerId: Number(runner) } : {}),
		...(q === "" ? {} : { q }),
		...days,
		...(age === undefined || days.from !== undefined || days.to !== undefined ? {} : { age }),
		...(params.get("order") === "asc" ? { order: "asc" } : {}),
	};
}

/** The query string for `filters`, including the question mark; other parameters of `base` are kept. */
export function searchFromFilters(filters: JobFilters, base: URLSearchParams = new URLSearchParams()): string {
	const params = new URLSearchParams(base);
	for (const key of ["status", "runnerId", "q", "age", "from", "to", "order"]) params.delete(key);
	for (const status of filters.status ?? []) params.append("status", status);
	if (filters.runnerId !== undefined) params.set("runnerId", String(filters.runnerId));
	for (const key of ["q", "age", "from", "to", "order"] as const) if (filters[key]) params.set(key, filters[key]);
	const text = params.toString();
	return text === "" ? "" : `?${text}`;
}

/** Whether the list is limited to some jobs. The order does not count. */
export const hasFilters = ({ order: _, ...filters }: JobFilters): boolean => Object.keys(filters).length > 0;

/** The API's query parameters. */
export const apiQuery = ({ age, from, to, ...filters }: JobFilters, nowMs: number) => ({
	...filters,
	...createdQuery({ age, from, to }, nowMs),
});

/** Whether `job` fits the filters, by the API's rules. Only the server knows whether a search finds it. */
export function matchesFilters(job: Job, filters: JobFilters, nowMs: number = Date.now()): boolean {
	if (filters.status !== undefined && !filters.status.includes(job.status)) return false;
	if (filters.runnerId !== undefined && filters.runnerId !== job.runnerId) return false;
	return isCreatedWithin(job.createdAt, filters, nowMs);
}
