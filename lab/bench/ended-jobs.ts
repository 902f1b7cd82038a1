/** Writes many ended jobs straight into a dashboard's database. */
import { runSql } from "#test/databases/database.ts";

/**
 * Adds jobs a second apart, the last one now, with ids from 1 on. Their runner has the id 1 and is offline, so that jobs that
 * are created for it stay queued.
 * @param dashboard one without jobs and runners.
 */
export async function addEndedJobs(dashboard: Parameters<typeof runSql>[0], jobs: number): Promise<void> {
	await runSql(
		dashboard,
		`insert into runner ("organizationId", name, "signInName", version, displays, "createdAt") values (1, 'bench', 'bench', '1', '[]', 1)`,
	);
	await runSql(
		dashboard,
		`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${jobs})
		insert into job ("organizationId", "runnerId", type, "displayId", name, "stopCondition", "stopConditionConfig", status,
			"stopReason", "createdAt", "startedAt", "stoppedAt", "endedAt", "createdByKind", "createdById", "createdByName", key)
		select 1, 1, 'recording', ':99', 'job ' || i, 'duration', '{"durationSeconds":30}', 'completed', 'duration_elapsed',
			at, at, at + 30000, at + 31000, 'apiKey', 1, 'bench', 'key-' || i from (select i, ${Date.now()} - (${jobs} - i) * 1000 as at from n) as rows order by i`,
	);
}
