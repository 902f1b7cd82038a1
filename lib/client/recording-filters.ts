/** The filters and the order of the list of recordings, and their form in the URL. */
import type { Recording } from "@tapedeck/contract/recording.ts";
import {
	ORDERS,
	type Order,
	RECORDING_KINDS,
	RECORDING_SORTS,
	RECORDING_STATES,
	type RecordingKind,
	type RecordingSort,
	type RecordingState,
	VERDICTS,
	type Verdict,
} from "@tapedeck/contract/recording-kinds.ts";
import { AGES, type Age, createdQuery, isCreatedWithin } from "./ages.ts";
import type { Compare } from "./page-cache.ts";
import { LONGEST_SEARCH } from "./search-terms.ts";

export interface RecordingFilters {
	q?: string;
	/** Unset for files of all kinds. */
	kind?: RecordingKind;
	state?: RecordingState[];
	verdict?: Verdict[];
	runnerId?: number;
	/** Created within this time. */
	age?: Age;
	/** Unset for newest first. */
	sort?: RecordingSort;
	order?: Order;
}

/** The filters of a URL; invalid ones are left out. Equal filters give equal objects. */
export function filtersFromSearch(params: URLSearchParams): RecordingFilters {
	const several = <T extends string>(name: string, known: readonly T[]) => {
		const chosen = known.filter((one) => params.getAll(name).includes(one));
		return chosen.length === 0 ? {} : { [name]: chosen };
	};
	const one = <T extends string>(name: string, known: readonly T[], fallback?: T) => {
		const found = known.find((each) => each === params.get(name));
		return found === undefined || found === fallback ? {} : { [name]: found };
	};
	const runner = params.get("runnerId") ?? "";
	const q = (params.get("q") ?? "").trim().slice(0, LONGEST_SEARCH);
	return {
		...(q === "" ? {} : { q }),
		...one("kind", RECORDING_KINDS),
		...several("state", RECORDING_STATES),
		...several("verdict", VERDICTS),
		...(/^[1-9]\d{0,15}$/.test(runner) ? { runnerId: Number(runner) } : {}),
		...one("age", Object.keys(AGES)),
		...one("sort", RECORDING_SORTS, "createdAt"),
		...one("order", ORDERS, "desc"),
	};
}

/** The query string for `filters`, with its question mark; empty without filters. */
export function searchFromFilters(filters: RecordingFilters): string {
	const params = new URLSearchParams();
	for (const [name, value] of Object.entries(filters)) {
		if (value === undefined || value === "") continue;
		for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each));
	}
	const text = params.toString();
	return text === "" ? "" : `?${text}`;
}

/** The filters' part for an order; both unset for newest first. */
export const sortingOf = (sort: RecordingSort, order: Order): Pick<RecordingFilters, "sort" | "order"> => ({
	sort: sort === "createdAt" ? undefined : sort,
	order: order === "desc" ? undefined : order,
});

/** Whether the filters exclude anything. */
export const isFiltered = ({ sort: _, order: __, ...filters }: RecordingFilters): boolean =>
	Object.values(filters).some((value) => value !== undefined);

/** The API's query parameters. */
export function apiQuery({ age, ...filters }: RecordingFilters, nowMs: number) {
	return { ...filters, ...createdQuery({ age }, nowMs) };
}

/** Whether `recording` fits the filters, by the API's rules. Only the server knows whether a search finds it. */
export function matchesFilters(recording: Recording, filters: RecordingFilters, nowMs: number): boolean {
	const { kind, state, verdict, runnerId, age } = filters;
	if (kind !== undefined && kind !== recording.kind) return false;
	if (state !== undefined && !state.includes(recording.state)) return false;
	if (verdict !== undefined && (recording.verdict === null || !verdict.includes(recording.verdict))) return false;
	if (runnerId !== undefined && runnerId !== recording.runnerId) return false;
	return isCreatedWithin(recording.createdAt, { age }, nowMs);
}

/** The sort order of the API, with ties broken by id. */
export function compareBy({ sort = "createdAt", order = "desc" }: RecordingFilters): Compare<Recording> {
	const rank = (one: Recording) => (sort === "createdAt" ? Date.parse(one.createdAt) : one[sort]);
	const sign = order === "asc" ? 1 : -1;
	return (one, other) => sign * (rank(one) - rank(other) || one.id - other.id);
}
