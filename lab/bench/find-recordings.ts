/**
 * The first page of searches by labels, outcome and words over many recordings with five labels each, and the pages
 * that count or group them, on SQLite and PostgreSQL: each beside a plain list of the same run.
 */
import { PROMISE, slowestOnEach } from "./beside-plain-list.ts";
import type { Results } from "./figures.ts";
import type { DatabaseName } from "./filled-database.ts";
import { PER_BUILD, RARE_NAME } from "./many-rows.ts";
import { QUICK } from "./samples.ts";

/** More or fewer while developing: BENCH_RECORDINGS=200000. */
const RECORDINGS = Number(process.env.BENCH_RECORDINGS ?? (QUICK ? 20_000 : 1_000_000));

const BUILD = `b${Math.floor(RECORDINGS / 2 / PER_BUILD)}`;
/** What is searched for. No recording of an odd suite has an even team. */
const SEARCHES = [
	`build:${BUILD}`,
	`build:${BUILD} outcome:failed`,
	`build:${BUILD} branch:main test`,
	"build:nothing",
	"branch:main",
	"branch:main outcome:failed",
	"outcome:error",
	"outcome:none",
	"test:test-77 branch:main",
	"suite:suite-3 suite:suite-4 outcome:failed",
	"suite:suite-3 label:team=team-4",
	"label:flaky",
	"-branch:main -outcome:passed",
	"-label:build",
	"label:team=team-3 -suite:suite-13 after:2020-01-01",
	"checkout",
	"checkout branch:main",
	"test-4321",
	`${RARE_NAME} branch:main`,
	"does-not-occur",
	"does-not-occur branch:main",
	"runner:7 outcome:failed",
	"verdict:frozen branch:main",
	"status:failed suite:suite-3",
];
const LISTS = [
	`/v1/recordings?sort=bytes&q=build:${BUILD}`,
	`/v1/recordings?sort=durationSeconds&order=asc&q=checkout%20build:${BUILD}`,
	"/v1/failures",
	"/v1/builds",
	`/v1/builds/${BUILD}`,
	"/v1/labels",
	"/v1/labels?key=test",
	"/v1/coverage",
];
const CALLS = [
	...["/v1/recordings", "/v1/jobs"].flatMap((path) =>
		SEARCHES.map((q) => ({ name: `${path.slice(4)} ${q}`, path: `${path}?q=${encodeURIComponent(q)}`, plain: path })),
	),
	...LISTS.map((path) => ({ name: path.slice(4), path, plain: "/v1/recordings" })),
];

const many = RECORDINGS.toLocaleString("en");
const figureOf = (database: DatabaseName) => ({
	what: `slowest first page of ${SEARCHES.length * 2} searches and ${LISTS.length} other lists over ${many} jobs and their recordings, 5 labels each, ${database}`,
	promise: PROMISE,
});
export const figures = { sqlite: figureOf("SQLite"), postgres: figureOf("PostgreSQL") };

export const run = (): Promise<Results<typeof figures>> =>
	slowestOnEach(CALLS, `${many} labelled jobs`, RECORDINGS, { labelled: true });
