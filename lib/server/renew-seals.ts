/** At every start: what an older secret key sealed is sealed anew, and what no key opens is told now, not to a runner. */
import type { Context } from "../core/context.ts";
import { resealPasswords } from "../jobs/reseal-passwords.ts";

/** @throws an Error with one sentence and the remedy when a job that is not over has a password that no key opens. */
export async function renewSeals(ctx: Pick<Context, "db" | "secrets" | "log">): Promise<void> {
	const { resealed, unreadable } = await resealPasswords(ctx);
	if (resealed > 0) {
		ctx.log.info(
			{ resealed },
			"grid passwords are sealed under the new secret key now; nothing needs the older keys any more but older backups",
		);
	}
	const waiting = unreadable.filter(({ isOver }) => !isOver).map(({ jobId }) => jobId);
	if (waiting.length > 0) throw new Error(cannotOpen(waiting));
	if (unreadable.length > 0) {
		ctx.log.warn(
			{ jobs: unreadable.length },
			"grid passwords of jobs that are over were sealed under a secret key that is not here; nothing needs them: `npm run dashboard -- forget-passwords` removes them",
		);
	}
}

function cannotOpen(jobIds: number[]): string {
	const some = jobIds.slice(0, 10).join(", ") + (jobIds.length > 10 ? ", …" : "");
	const whose = jobIds.length === 1 ? `job ${some}, which is` : `${jobIds.length} jobs (${some}), which are`;
	return (
		`The grid password of ${whose} not over, was sealed under a secret key that is not here. ` +
		"Bring secret.key back from a backup, or give the old key as TAPEDECK_SECRET_KEY_PREVIOUS; " +
		"if it is lost for good, run `npm run dashboard -- forget-passwords` and create what still waits anew."
	);
}
