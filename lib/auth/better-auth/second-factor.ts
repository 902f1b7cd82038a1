/**
 * The second factor of accounts that sign in by password: codes of an authenticator app (TOTP, RFC 6238), and backup
 * codes for a person without it. better-auth's plug-in does both; single sign-on leaves it to its provider.
 *
 * The plug-in's calls for signed-in people stay closed, because they would take any number of passwords to try.
 * `/v1/me/second-factor` is in their place.
 */
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Database, Log } from "#lib/core/context.ts";
import { accountTables } from "./account-tables.ts";

export const secondFactor = () =>
	twoFactor({ issuer: "Tapedeck", backupCodeOptions: { storeBackupCodes: "encrypted" } });

/**
 * Encrypts the second factors anew that were encrypted with an earlier secret.
 * @param secrets of better-auth, the current one first.
 */
export async function reencryptSecondFactors(
	db: Database,
	secrets: readonly [string, ...string[]],
	log: Log,
): Promise<void> {
	const tables = accountTables(db);
	const rows = await tables.selectFrom("twoFactor").select(["id", "userId", "secret", "backupCodes"]).execute();
	const unreadable: number[] = [];
	for (const { id, userId, ...sealed } of rows) {
		const key = await keyOf(sealed.secret, secrets);
		if (key === undefined) unreadable.push(userId);
		if (key === undefined || key === secrets[0]) continue;
		const again = async (data: string) =>
			symmetricEncrypt({ key: secrets[0], data: await symmetricDecrypt({ key, data }) });
		const renewed = { secret: await again(sealed.secret), backupCodes: await again(sealed.backupCodes) };
		// Unless it was removed or replaced in the meantime.
		await tables
			.updateTable("twoFactor")
			.set(renewed)
			.where("id", "=", id)
			.where("secret", "=", sealed.secret)
			.execute();
	}
	if (unreadable.length === 0) return;
	log.warn(
		{ users: unreadable },
		"second factors were encrypted with a secret key that is missing; these people cannot sign in until `npm run dashboard -- remove-second-factor <email>`",
	);
}

async function keyOf(data: string, secrets: readonly string[]): Promise<string | undefined> {
	for (const key of secrets) {
		try {
			await symmetricDecrypt({ key, data });
			return key;
		} catch {
			// It was encrypted with another one.
		}
	}
	return undefined;
}

/** Removes the second factor of an account. @returns whether it had one. */
export async function deleteSecondFactor(db: Database, userId: number): Promise<boolean> {
	const tables = accountTables(db);
	const { numDeletedRows } = await tables.deleteFrom("twoFactor").where("userId", "=", userId).executeTakeFirst();
	await tables.updateTable("user").set({ twoFactorEnabled: null }).where("id", "=", userId).execute();
	return numDeletedRows > 0n;
}
