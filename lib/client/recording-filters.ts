/** What the list of recordings is narrowed to and sorted by, and how that stands in the address. */
import type { Recording } from "../contract/recording.ts";
import {
	ORDERS,
	type Order,
	RECORDING_SORTS,
	RECORDING_STATES,
	type RecordingSort,
	type RecordingState,
	VERDICTS,
	type Verdict,
} from "../contract/recording-kinds.ts";
import type { Compare } from "./page-cache.ts";

const HOUR_MS = 3_600_000;
/** How old recordings may be, by the words of the address. */
export const AGES = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS, "30d": 720 * HOUR_MS } as const;
export type Age = keyof typeof AGES;

export interface RecordingFilters {
	q?: string;
	state?: RecordingState[];
	verdict?: Verdict[];
	runnerId?: number;
	/** Made within that time. */
	age?: Age;
	/** Left out for the newest first. */
	sort?: RecordingSort;
	order?: Order;
}

/** Filters of an address; what makes no sense in it is left out. Equal filters give equal objects. */
export function filtersFromSearch(params: URLSearchParams): RecordingFilters {
	const several = <T extends string>(name: string, known: readonly T[]) => {
		const asked = known.filter((one) => params.getAll(name).includes(one));
		return asked.length === 0 ? {} : { [name]: asked };
	};
	const one = <T extends string>(name: string, known: readonly T[], usual?: T) => {
		const found = known.find((each) => each === params.get(name));
		return found === undefined || found === usual ? {} : { [name]: found };
	};
	const runner = params.get("runnerId") ?? "";
	const q = (params.get("q") ?? "").trim().slice(0, 200);
	return {
		...(q === "" ? {} : { q }),
		...several("state", RECORDING_STATES),
		...several("verdict", VERDICTS),
		...(/^[1-9]\d{0,15}$/.test(runner) ? { runnerId: Number(runner) } : {}),
		...one("age", Object.keys(AGES)),
		...one("sort", RECORDING_SORTS, "createdAt"),
		...one("order", ORDERS, "desc"),
	};
}

/** The query string for `filters`, with its question mark; nothing when there are none. */
export function searchFromFilters(filters: RecordingFilters): string {
	const params = new URLSearchParams();
	for (const [name, value] of Object.entries(filters)) {
		if (value === undefined || value === "") continue;
		for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each));
	}
	const text = params.toString();
	return text === "" ? "" : `?${text}`;
}

/** Whether something is left out of the list. */
export const isNarrowed = ({ sort: _, order: __, ...filters }: RecordingFilters): boolean =>
	Object.values(filters).some((value) => value !== undefined);

/** What the API is asked for. */
export function askedFor({ age, ...filters }: RecordingFilters, nowMs: number) {
	return age === undefined ? filters : { ...filters, createdAfter: new Date(nowMs - AGES[age]).toISOString() };
}

/** Whether the list that is narrowed to `filters` shows `recording`. */
export function matchesFilters(recording: Recording, filters: RecordingFilters, nowMs: number): boolean {
	const { q, state, verdict, runnerId, age } = filters;
	if (state !== undefined && !state.includes(recording.state)) return false;
	if (verdict !== undefined && (recording.verdict === null || !verdict.includes(recording.verdict))) return false;
	if (runnerId !== undefined && runnerId !== recording.runnerId) return false;
	if (age !== undefined && Date.parse(recording.createdAt) <= nowMs - AGES[age]) return false;
	return q === undefined || recording.name.toLowerCase().includes(q.toLowerCase());
}

/** How the list is sorted, as the API does it: equals by their ids. */
export function compareBy({ sort = "createdAt", order = "desc" }: RecordingFilters): Compare<Recording> {
	const rank = (one: Recording) => (sort === "createdAt" ? Date.parse(one.createdAt) : one[sort]);
	const sign = order === "asc" ? 1 : -1;
	return (one, other) => sign * (rank(one) - rank(other) || one.id - other.id);
}
