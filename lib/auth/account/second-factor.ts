/** The caller's second factor: added in two steps, the password and then the app's first code, and removed again. */
import type { NewSecondFactor } from "@tapedeck/contract/account.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { invalid, TapedeckError } from "#lib/core/errors.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { deleteSecondFactor } from "../better-auth/second-factor.ts";
import { endConfirmedSignIns } from "../credentials/device-sign-in.ts";
import { userOf } from "../members/membership.ts";
import { assertPassword, type Caller } from "./caller.ts";
import { auditWithoutMember, findAccount, OPERATOR } from "./operator.ts";
import { deleteOtherSessions } from "./sessions.ts";

const ELSEWHERE = "You sign in with single sign-on, whose provider asks for a second factor.";

/**
 * Begins to add a second factor. It counts from the first code on, and replaces one that was begun before.
 * @throws validation_failed at `password`; conflict for an account without a password, or with a second factor;
 *   too_many_requests after too many wrong passwords.
 */
export async function beginSecondFactor(ctx: Context, caller: Caller, password: string): Promise<NewSecondFactor> {
	await assertPassword(caller, { password, field: "password", elsewhere: ELSEWHERE });
	if (await hasSecondFactor(ctx)) {
		throw new TapedeckError("conflict", "Your account has a second factor. Remove it first to set up another one.");
	}
	return caller.auth.beginSecondFactor(password, caller.headers);
}

/**
 * Makes the second factor count, and ends the caller's other sessions, which began without it.
 * @returns values of Set-Cookie headers: the session continues under another token.
 * @throws validation_failed at `code`; conflict when none was begun.
 */
export async function confirmSecondFactor(ctx: Context, caller: Caller, code: string): Promise<string[]> {
	const { userId, name } = userOf(ctx);
	if (await hasSecondFactor(ctx)) throw new TapedeckError("conflict", "Your account has a second factor already.");
	const cookies = await caller.auth.confirmSecondFactor(code.replace(" ", ""), caller.headers);
	if (cookies === "not_begun") {
		throw new TapedeckError("conflict", "No second factor is being set up. Send your password first.");
	}
	if (cookies === "wrong_code") {
		const message = "This is not the app's current code. Check that the clock of its device is right.";
		throw invalid({ path: "code", code: "invalid", message });
	}
	const renewed = await caller.auth.session(
		new Headers({ cookie: cookies.map((each) => each.split(";")[0]).join("; ") }),
	);
	await inTransaction(ctx, async (ctx) => {
		await audit(ctx, { action: "second_factor.added", target: { kind: "user", id: userId, name } });
		await endConfirmedSignIns(ctx, userId);
		if (renewed !== null) await deleteOtherSessions(ctx, renewed.id);
	});
	ctx.credentials.forget();
	return cookies;
}

/**
 * @throws validation_failed at `password`; conflict for an account without a password or without a second factor;
 *   too_many_requests after too many wrong passwords.
 */
export async function removeSecondFactor(ctx: Context, caller: Caller, password: string): Promise<void> {
	const { userId, name } = userOf(ctx);
	await assertPassword(caller, { password, field: "password", elsewhere: ELSEWHERE });
	await inTransaction(ctx, async (ctx) => {
		if (!(await deleteSecondFactor(ctx.db, userId))) {
			throw new TapedeckError("conflict", "Your account has no second factor.");
		}
		await audit(ctx, { action: "second_factor.removed", target: { kind: "user", id: userId, name } });
	});
	ctx.credentials.forget();
}

/**
 * Removes the second factor of a person who has lost the app and the backup codes, for the operator of the dashboard's
 * machine.
 * @throws not_found when no account has the email; conflict when it has no second factor.
 */
export async function removeSecondFactorAsOperator(deps: Pick<Context, "db" | "clock">, email: string): Promise<void> {
	const person = await findAccount(deps.db, email);
	await inTransaction(deps, async (deps) => {
		if (!(await deleteSecondFactor(deps.db, person.id))) {
			throw new TapedeckError("conflict", `The account ${email} has no second factor.`);
		}
		await auditWithoutMember(deps, OPERATOR, person, "second_factor.removed");
	});
}

async function hasSecondFactor(ctx: Context): Promise<boolean> {
	const user = await accountTables(ctx.db)
		.selectFrom("user")
		.select("twoFactorEnabled")
		.where("id", "=", userOf(ctx).userId)
		.executeTakeFirst();
	return Boolean(user?.twoFactorEnabled);
}
