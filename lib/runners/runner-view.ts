/** Runners as the API returns them. */
import { type JobStatus, UNFINISHED_STATUSES } from "@tapedeck/contract/job-status.ts";
import type { Display, Runner, VersionStatus } from "@tapedeck/contract/runner.ts";
import { compareReleases, VERSION } from "@tapedeck/contract/version.ts";
import { type Selectable, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { timestampOrNull } from "#lib/core/times.ts";
import type { RunnerTable } from "#lib/db/schema.ts";
import { readLabels } from "#lib/lifecycle/labels.ts";
import type { RunnerDownloads } from "./install/runner-downloads.ts";

export type RunnerRow = Selectable<RunnerTable>;

/** Whether a job's runner is final: not while it waits for any runner that fits. */
export const isForThisRunner = sql<boolean>`not (selector is not null and status = 'queued')`;

/** A connected runner makes a request every 8 s; after this long without one it counts as offline. */
export const OFFLINE_AFTER_MS = 15_000;

export const isOnline = (runner: Pick<RunnerRow, "sessionId" | "lastSeenAt">, now: number): boolean =>
	runner.sessionId !== null && runner.lastSeenAt !== null && now - runner.lastSeenAt <= OFFLINE_AFTER_MS;

/**
 * @param downloads the dashboard's files for runners, whose version is compared with the runners' own.
 * @returns these runners with their running and queued jobs, which takes one further query for all.
 */
export async function runnerViews(ctx: Context, downloads: RunnerDownloads, rows: RunnerRow[]): Promise<Runner[]> {
	const ids = rows.map((row) => row.id);
	const jobs: { id: number; runnerId: number; status: JobStatus }[] =
		ids.length === 0
			? []
			: await ctx.db
					.selectFrom("job")
					.select(["id", "runnerId", "status"])
					.where("runnerId", "in", ids)
					.where(isForThisRunner)
					.where("status", "in", UNFINISHED_STATUSES)
					.orderBy("id")
					.execute();
	const now = ctx.clock.now();
	const statuses = await Promise.all(rows.map(({ version }) => versionStatus(version, downloads)));
	return rows.map((row, index) => ({
		id: row.id,
		organizationId: row.organizationId,
		name: row.name,
		state: row.removedAt === null && isOnline(row, now) ? "online" : "offline",
		displays: JSON.parse(row.displays) as Display[],
		version: row.version,
		versionStatus: statuses[index] ?? "different",
		labels: readLabels(row),
		bufferSeconds: row.bufferSeconds,
		virtualDisplays: row.virtualDisplays,
		lastSeenAt: timestampOrNull(row.lastSeenAt),
		...jobIdsOf(jobs.filter((job) => job.runnerId === row.id)),
	}));
}

const jobIdsOf = (jobs: { id: number; status: JobStatus }[]): Pick<Runner, "runningJobIds" | "waitingJobIds"> => ({
	runningJobIds: jobs.filter(({ status }) => status !== "queued").map(({ id }) => id),
	waitingJobIds: jobs.filter(({ status }) => status === "queued").map(({ id }) => id),
});

/**
 * Versions are ordered; builds of one version can only be distinguished. A runner without a build (from a clone or an
 * image) is compared by its version alone, and only one with a build makes the dashboard build its own package.
 *
 * @param version a semantic version, with the build as its metadata: `0.2.0+3f2a9c1b70de`.
 */
async function versionStatus(version: string, downloads: RunnerDownloads): Promise<VersionStatus> {
	const [release = "", build] = version.split("+");
	if (release === VERSION) {
		return build === undefined || version === (await downloads.runnerVersion()) ? "current" : "different";
	}
	const order = compareReleases(release, VERSION);
	if (order === null || order === 0) return "different";
	return order < 0 ? "older" : "newer";
}
