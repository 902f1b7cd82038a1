/** The caller's passkeys: added in two steps, the password and then the browser's answer, listed and removed. */
import type { NewPasskey, Passkey, PasskeyOptions } from "@tapedeck/contract/account.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { invalid, notFound, TapedeckError } from "#lib/core/errors.ts";
import { accountTables, instantText } from "../better-auth/account-tables.ts";
import { NOT_VERIFIED_MESSAGE } from "../better-auth/passkeys.ts";
import { userOf } from "../members/membership.ts";
import { assertPassword, type Caller } from "./caller.ts";

const ELSEWHERE = "You sign in with single sign-on, whose provider may take passkeys.";
const MAX_PASSKEYS = 10;

/** Newest first. @throws validation_failed at `cursor`. */
export async function listPasskeys(ctx: Context, { limit, cursor }: PageQuery): Promise<Page<Passkey>> {
	const rows = await accountTables(ctx.reads)
		.selectFrom("passkey")
		.select(["id", "name", "createdAt"])
		.where("userId", "=", userOf(ctx).userId)
		.$if(cursor !== undefined, (passkeys) => passkeys.where("id", "<", readCursor(cursor ?? "")))
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	return pageFrom(rows, limit, passkeyOf);
}

/**
 * Begins to add a passkey.
 * @returns what the browser needs to create it, and values of Set-Cookie headers, which the second step needs.
 * @throws validation_failed at `password`; conflict for an account without a password, or with 10 passkeys;
 *   too_many_requests after too many wrong passwords.
 */
export async function beginPasskey(
	ctx: Context,
	caller: Caller,
	password: string,
): Promise<{ options: PasskeyOptions; cookies: string[] }> {
	await assertPassword(caller, { password, field: "password", elsewhere: ELSEWHERE });
	const { count } = await accountTables(ctx.db)
		.selectFrom("passkey")
		.select(({ fn }) => fn.countAll<string | number>().as("count"))
		.where("userId", "=", userOf(ctx).userId)
		.executeTakeFirstOrThrow();
	if (Number(count) >= MAX_PASSKEYS) {
		throw new TapedeckError("conflict", `Your account has ${MAX_PASSKEYS} passkeys. Remove one first.`);
	}
	return caller.auth.beginPasskey(caller.headers);
}

/**
 * Adds the passkey that the browser has created.
 * @throws validation_failed at `response`, also when the device did not verify its user; conflict when none was begun.
 */
export async function addPasskey(ctx: Context, caller: Caller, passkey: NewPasskey): Promise<Passkey> {
	const added = await caller.auth.addPasskey(passkey, caller.headers);
	if (added === "not_begun") {
		throw new TapedeckError("conflict", "No passkey is being added, or it took too long. Send your password again.");
	}
	if (added === "not_verified") {
		throw invalid({ path: "response", code: "not_verified", message: NOT_VERIFIED_MESSAGE });
	}
	if (added === "invalid") {
		const message = "This is not the answer of a passkey to the options that were sent.";
		throw invalid({ path: "response", code: "invalid", message });
	}
	const { userId } = userOf(ctx);
	const row = await accountTables(ctx.db)
		.selectFrom("passkey")
		.select(["id", "name", "createdAt"])
		.where("id", "=", added)
		.where("userId", "=", userId)
		.executeTakeFirstOrThrow();
	await note(ctx, "passkey.added", row.name);
	return passkeyOf(row);
}

/** @throws not_found when the caller has no such passkey. */
export async function removePasskey(ctx: Context, id: number): Promise<void> {
	const { userId } = userOf(ctx);
	await inTransaction(ctx, async (ctx) => {
		const removed = await accountTables(ctx.db)
			.deleteFrom("passkey")
			.where("id", "=", id)
			.where("userId", "=", userId)
			.returning("name")
			.executeTakeFirst();
		if (removed === undefined) throw notFound("passkey");
		await note(ctx, "passkey.removed", removed.name);
	});
}

async function note(ctx: Context, action: "passkey.added" | "passkey.removed", passkey: string): Promise<void> {
	const { userId, name } = userOf(ctx);
	await audit(ctx, { action, target: { kind: "user", id: userId, name }, detail: { passkey } });
}

const passkeyOf = ({ id, name, createdAt }: { id: number; name: string; createdAt: string }): Passkey => ({
	id,
	name,
	createdAt: instantText(createdAt),
});
