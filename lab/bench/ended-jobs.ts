/** Jobs by the hundred thousand, written straight into a dashboard's database. */
import { runSql } from "#test/databases/database.ts";

/**
 * Adds jobs a second apart, with ids from 1 on, of a runner with id 1 that is away, so that what is created for it stays
 * queued.
 * @param dashboard one without jobs and runners.
 * @param options.recordings whether each left a recording; none has a file.
 * @param options.endedDaysAgo when the last of them ended.
 */
export async function addEndedJobs(
	dashboard: Parameters<typeof runSql>[0],
	jobs: number,
	options: { recordings: boolean; endedDaysAgo?: number },
): Promise<void> {
	const lastAt = Date.now() - (options.endedDaysAgo ?? 0) * 86_400_000;
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
			at, at, at + 30000, at + 31000, 'apiKey', 1, 'bench', 'key-' || i from (select i, ${lastAt} - (${jobs} - i) * 1000 as at from n) as rows order by i`,
	);
	if (!options.recordings) return;
	await runSql(
		dashboard,
		`insert into recording ("organizationId", "jobId", name, state, "contentType", "uploadId", "durationSeconds", bytes, width,
			height, "createdAt", "updatedAt")
		select 1, id, name, 'ready', 'video/mp4', 'job-' || id, 30, 1000, 1280, 720, "createdAt", "endedAt" from job`,
	);
}
