/**
 * The first page of searches for words of error lines, of which each recording has as many as are found, on SQLite and
 * PostgreSQL: each beside a plain list of the same run.
 */
import { MAX_ERROR_LINES } from "#lib/recordings/tracks/error-text.ts";
import { PROMISE, slowestOnEach } from "./beside-plain-list.ts";
import type { Results } from "./figures.ts";
import type { DatabaseName } from "./filled-database.ts";
import { RARE_ERROR } from "./many-rows.ts";
import { QUICK } from "./samples.ts";

/** Another number while developing: BENCH_RECORDINGS=20000. A million take 50 GB and hours to write. */
const RECORDINGS = Number(process.env.BENCH_RECORDINGS ?? (QUICK ? 1_000 : 100_000));

/** What is searched for. */
const SEARCHES = [
	...["timeout", '"connection refused"', "timeout checkout", '"expected 200 but got 503" firefox', "-timeout"],
	...[`"${RARE_ERROR}"`, `"${RARE_ERROR}" timeout`, `order ${Math.floor(RECORDINGS / 2) * MAX_ERROR_LINES + 123}`],
	...["does-not-occur", "does-not-occur timeout", "runner:7 timeout"],
];
const CALLS = ["/v1/recordings", "/v1/jobs"].flatMap((path) =>
	SEARCHES.map((q) => ({ name: `${path.slice(4)} ${q}`, path: `${path}?q=${encodeURIComponent(q)}`, plain: path })),
);

const many = RECORDINGS.toLocaleString("en");
const figureOf = (database: DatabaseName) => ({
	what: `slowest first page of ${CALLS.length} searches for error lines over ${many} jobs with ${MAX_ERROR_LINES} of them each, ${database}`,
	promise: PROMISE,
});
export const figures = { sqlite: figureOf("SQLite"), postgres: figureOf("PostgreSQL") };

export const run = (): Promise<Results<typeof figures>> =>
	slowestOnEach(CALLS, `${many} jobs with error lines`, RECORDINGS, { errorLines: MAX_ERROR_LINES });
