/** Re-encrypts the secrets of webhooks with the current key after the secret key was rotated. */
import type { Context } from "#lib/core/context.ts";

/**
 * A webhook whose secret no key decrypts is paused, because its requests could not be signed. The token of a bot that no key
 * decrypts is removed: messages come without frames.
 * @returns how many were re-encrypted, and the ids of those that were paused.
 */
export async function reencryptWebhookSecrets({
	db,
	secrets,
}: Pick<Context, "db" | "secrets">): Promise<{ reencrypted: number; unreadable: number[] }> {
	const rows = await db
		.selectFrom("webhook")
		.select(["id", "secretSealed", "previousSecretSealed", "botTokenSealed"])
		.where(({ or, eb }) =>
			or([
				eb("secretSealed", "not like", `${secrets.head}%`),
				eb("previousSecretSealed", "not like", `${secrets.head}%`),
				eb("botTokenSealed", "not like", `${secrets.head}%`),
			]),
		)
		.execute();
	const unreadable: number[] = [];
	for (const { id, secretSealed, previousSecretSealed, botTokenSealed } of rows) {
		const secret = opened(secrets, secretSealed);
		const previous = opened(secrets, previousSecretSealed);
		const botToken = opened(secrets, botTokenSealed);
		if (secret === null) {
			const pausedBecause = "Its secret was encrypted with a secret key that is missing. Rotate the secret.";
			await db
				.updateTable("webhook")
				.set({ pausedAt: Date.now(), pausedBecause })
				.where("id", "=", id)
				.where("pausedAt", "is", null)
				.execute();
			unreadable.push(id);
			continue;
		}
		const sealed = {
			secretSealed: secrets.seal(secret),
			previousSecretSealed: previous === null ? null : secrets.seal(previous),
			botTokenSealed: botToken === null ? null : secrets.seal(botToken),
		};
		// Unless it was changed in the meantime.
		await db
			.updateTable("webhook")
			.set(sealed)
			.where("id", "=", id)
			.where("secretSealed", "=", secretSealed)
			.where("botTokenSealed", botTokenSealed === null ? "is" : "=", botTokenSealed)
			.execute();
	}
	return { reencrypted: rows.length - unreadable.length, unreadable };
}

function opened(secrets: Context["secrets"], sealed: string | null): string | null {
	if (sealed === null) return null;
	try {
		return secrets.open(sealed);
	} catch {
		return null;
	}
}
