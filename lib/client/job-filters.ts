/** The filters of the jobs list, and their form in the URL. */
import type { Job } from "#lib/contract/job.ts";
import { JOB_STATUSES, type JobStatus } from "#lib/contract/job-status.ts";

export interface JobFilters {
	status?: JobStatus[];
	runnerId?: number;
	q?: string;
}

const CANCELLABLE: readonly JobStatus[] = ["queued", "starting", "recording"];
/** Whether cancelling would still have an effect. */
export const isCancellable = (job: Job): boolean => CANCELLABLE.includes(job.status);

/** The filters of a URL; invalid ones are left out. Equal filters give equal objects. */
export function filtersFromSearch(params: URLSearchParams): JobFilters {
	const asked = new Set(params.getAll("status"));
	const status = JOB_STATUSES.filter((one) => asked.has(one));
	const runner = params.get("runnerId") ?? "";
	const q = (params.get("q") ?? "").trim().slice(0, 200);
	return {
		...(status.length > 0 ? { status } : {}),
		...(/^[1-9]\d{0,15}$/.test(runner) ? { runnerId: Number(runner) } : {}),
		...(q === "" ? {} : { q }),
	};
}

/** The query string for `filters`, including the question mark; other parameters of `base` are kept. */
export function searchFromFilters(filters: JobFilters, base: URLSearchParams = new URLSearchParams()): string {
	const params = new URLSearchParams(base);
	for (const key of ["status", "runnerId", "q"]) params.delete(key);
	for (const status of filters.status ?? []) params.append("status", status);
	if (filters.runnerId !== undefined) params.set("runnerId", String(filters.runnerId));
	if (filters.q !== undefined && filters.q !== "") params.set("q", filters.q);
	const text = params.toString();
	return text === "" ? "" : `?${text}`;
}

export const hasFilters = (filters: JobFilters): boolean => Object.keys(filters).length > 0;

/** Whether the list with these filters contains `job`. */
export function matchesFilters(job: Job, filters: JobFilters): boolean {
	if (filters.status !== undefined && !filters.status.includes(job.status)) return false;
	if (filters.runnerId !== undefined && filters.runnerId !== job.runnerId) return false;
	return filters.q === undefined || job.name.toLowerCase().includes(filters.q.toLowerCase());
}
