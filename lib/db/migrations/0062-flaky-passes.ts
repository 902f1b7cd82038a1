/**
 * A build counts each test once: the flaky ones are among those that passed. Before, a test that failed in the end, and had passed
 * for the same commit, counted as failed and as flaky.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { resultTriggers } from "./0001-baseline-builds.ts";

const NAMES = {
	sqlite: ["added", "removed", "counted", "moved"],
	postgres: ["added", "removed", "changed"],
} satisfies Record<DialectName, string[]>;

export async function countFlakyPasses(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const dropped = NAMES[dialect].flatMap((change) => {
		const name = `build_of_result_${change}`;
		return dialect === "sqlite"
			? [`drop trigger ${name}`]
			: [`drop trigger ${name} on "testResult"`, `drop function ${name}()`];
	});
	const failedAtLast = `(select count(*) from "testResult" as result
		where result."organizationId" = build."organizationId" and result.build = build.name
		and result."isLast" = 1 and result."isFlaky" = 1 and result.outcome <> 'passed')`;
	const statements = [
		...dropped,
		`update build set "testsFlaky" = "testsFlaky" - ${failedAtLast} where "testsFlaky" > 0`,
		...resultTriggers(dialect, (row) => `${row}."isFlaky" = 1 and ${row}.outcome = 'passed'`),
	];
	for (const statement of statements) await sql.raw(statement).execute(db);
}
