/**
 * Re-encrypts secrets with an older key at every start. A secret that no key can decrypt is reported now, rather than
 * to a runner later.
 */
import { reencryptSecondFactors } from "#lib/auth/better-auth/second-factor.ts";
import type { Context } from "#lib/core/context.ts";
import { reencryptPasswords, reencryptSchedulePasswords } from "#lib/jobs/reencrypt-passwords.ts";
import { reencryptWebhookSecrets } from "#lib/webhooks/reencrypt-webhook-secrets.ts";

/**
 * @param sessionSecrets of better-auth, the current one first.
 * @throws an Error with the remedy when no key decrypts the password of a job that has not ended.
 */
export async function reencryptSecrets(
	ctx: Pick<Context, "db" | "secrets" | "log">,
	sessionSecrets: readonly [string, ...string[]],
): Promise<void> {
	await reencryptSecondFactors(ctx.db, sessionSecrets, ctx.log);
	const { reencrypted, unreadable } = await reencryptPasswords(ctx);
	if (reencrypted > 0) {
		ctx.log.info(
			{ reencrypted },
			"grid passwords are now encrypted with the new secret key; only older backups still need the older keys",
		);
	}
	await reencryptSchedulePasswords(ctx);
	const webhooks = await reencryptWebhookSecrets(ctx);
	if (webhooks.unreadable.length > 0) {
		ctx.log.warn(
			{ webhooks: webhooks.unreadable },
			"the secrets of webhooks were encrypted with a secret key that is missing; these webhooks are paused until their secrets are rotated",
		);
	}
	const waiting = unreadable.filter(({ isOver }) => !isOver).map(({ jobId }) => jobId);
	if (waiting.length > 0) throw new Error(cannotOpen(waiting));
	if (unreadable.length > 0) {
		ctx.log.warn(
			{ jobs: unreadable.length },
			"grid passwords of finished jobs were encrypted with a secret key that is missing; nothing needs them: `npm run dashboard -- forget-passwords` removes them",
		);
	}
}

function cannotOpen(jobIds: number[]): string {
	const some = jobIds.slice(0, 10).join(", ") + (jobIds.length > 10 ? ", …" : "");
	const whose = jobIds.length === 1 ? `job ${some}, which is` : `${jobIds.length} jobs (${some}), which are`;
	return (
		`The grid password of ${whose} not finished, was encrypted with a secret key that is missing. ` +
		"Restore secret.key from a backup, or set TAPEDECK_SECRET_KEY_PREVIOUS to the old key; " +
		"if it is lost, run `npm run dashboard -- forget-passwords` and create the queued jobs again."
	);
}
