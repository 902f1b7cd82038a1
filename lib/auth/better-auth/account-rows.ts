/**
 * Writes organizations, users and members. Those of the first set-up are created together and once, even when several
 * processes try at the same time.
 */
import { randomBytes } from "node:crypto";
import type { Role } from "@tapedeck/contract/permissions.ts";
import { verifyPassword } from "better-auth/crypto";
import { TapedeckError } from "#lib/core/errors.ts";
import type { AccountDatabase } from "./account-tables.ts";

/**
 * Claims a step of the first set-up inside a transaction. A concurrent transaction waits for this one to end, and then
 * finds the step claimed.
 */
export async function claimStep(trx: AccountDatabase, step: "organization" | "owner", now: number): Promise<boolean> {
	const claimed = await trx
		.insertInto("installation")
		.values({ step, doneAt: now })
		.onConflict((conflict) => conflict.doNothing())
		.returning("step")
		.executeTakeFirst();
	return claimed !== undefined;
}

/** @returns the id of the organization. */
export async function insertOrganization(trx: AccountDatabase, name: string, now: number): Promise<number> {
	const row = await trx
		.insertInto("organization")
		.values({ name, slug: `${slugOf(name)}-${randomBytes(4).toString("hex")}`, createdAt: new Date(now).toISOString() })
		.returning("id")
		.executeTakeFirstOrThrow();
	return row.id;
}

export interface NewUser {
	name: string;
	email: string;
	/** The hash from hashNewPassword, called before the transaction: hashing is slow. */
	passwordHash: string;
}

/**
 * Adds a user who signs in by password, as a member of the organization.
 * @returns the user's id. @throws conflict when an account with the email exists.
 */
export async function insertUser(
	trx: AccountDatabase,
	{ organizationId, role }: { organizationId: number; role: Role },
	{ name, email, passwordHash }: NewUser,
	now: number,
): Promise<number> {
	const at = new Date(now).toISOString();
	const user = await trx
		.insertInto("user")
		.values({ name, email: email.toLowerCase(), emailVerified: 0, createdAt: at, updatedAt: at })
		.onConflict((conflict) => conflict.column("email").doNothing())
		.returning("id")
		.executeTakeFirst();
	if (user === undefined) {
		throw new TapedeckError("conflict", "An account with this email already exists. Sign in instead.");
	}
	const userId = user.id;
	await insertPassword(trx, userId, passwordHash, at);
	await insertMember(trx, { organizationId, role, userId }, now);
	return userId;
}

/** @returns whether the password is correct; null for a user without one. */
export async function isPasswordOf(db: AccountDatabase, userId: number, password: string): Promise<boolean | null> {
	const hash = await passwordHashOf(db, userId);
	return hash === null ? null : verifyPassword({ hash, password });
}

/** @returns null for a user who signs in without a password. */
export async function passwordHashOf(db: AccountDatabase, userId: number): Promise<string | null> {
	const account = await db
		.selectFrom("account")
		.select("password")
		.where("userId", "=", userId)
		.where("providerId", "=", "credential")
		.executeTakeFirst();
	return account?.password ?? null;
}

/** Sets or adds the user's password. */
export async function setPasswordHash(
	trx: AccountDatabase,
	userId: number,
	passwordHash: string,
	now: number,
): Promise<void> {
	const updatedAt = new Date(now).toISOString();
	const changed = await trx
		.updateTable("account")
		.set({ password: passwordHash, updatedAt })
		.where("userId", "=", userId)
		.where("providerId", "=", "credential")
		.returning("id")
		.executeTakeFirst();
	if (changed === undefined) await insertPassword(trx, userId, passwordHash, updatedAt);
}

async function insertPassword(trx: AccountDatabase, userId: number, password: string, at: string): Promise<void> {
	await trx
		.insertInto("account")
		.values({
			accountId: String(userId),
			providerId: "credential",
			userId,
			password,
			createdAt: at,
			updatedAt: at,
		})
		.execute();
}

export async function insertMember(
	trx: AccountDatabase,
	member: { organizationId: number; userId: number; role: Role },
	now: number,
): Promise<void> {
	await trx
		.insertInto("member")
		.values({ ...member, createdAt: new Date(now).toISOString() })
		.execute();
}

function slugOf(name: string): string {
	const slug = name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-+|-+$/g, "");
	return slug === "" ? "organization" : slug;
}
