/** Jobs by the hundred thousand, written straight into a dashboard's database. */
import type { DatabaseSync } from "node:sqlite";

/**
 * Adds jobs a second apart, of a runner with id 1 that is away, so that what is created for it stays queued.
 * @param options.recordings whether each left a recording; none has a file.
 * @param options.endedDaysAgo when the last of them ended.
 */
export function addEndedJobs(
	database: DatabaseSync,
	jobs: number,
	options: { recordings: boolean; endedDaysAgo?: number },
): void {
	const lastAt = Date.now() - (options.endedDaysAgo ?? 0) * 86_400_000;
	database.exec(
		`insert into runner (id, "organizationId", name, "signInName", version, displays, "createdAt") values (1, 1, 'bench', 'bench', '1', '[]', 1)`,
	);
	database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${jobs})
		insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition", "stopConditionConfig", status,
			"stopReason", "createdAt", "startedAt", "stoppedAt", "endedAt", "createdByKind", "createdById", "createdByName", key)
		select i, 1, 1, 'recording', ':99', 'job ' || i, 'duration', '{"durationSeconds":30}', 'completed', 'duration_elapsed',
			at, at, at + 30000, at + 31000, 'apiKey', 1, 'bench', 'key-' || i from (select i, ${lastAt} - (${jobs} - i) * 1000 as at from n)`);
	if (!options.recordings) return;
	database.exec(`insert into recording ("organizationId", "jobId", name, state, "contentType", "uploadId", "durationSeconds", bytes, width,
			height, "createdAt", "updatedAt")
		select 1, id, name, 'ready', 'video/mp4', 'job-' || id, 30, 1000, 1280, 720, "createdAt", "endedAt" from job`);
}
