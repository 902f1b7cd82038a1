/** Organizations, users and members as rows: those of the first set-up appear together, once, whoever asks first. */
import { randomBytes } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import type { Role } from "../../contract/organization.ts";
import { TapedeckError } from "../../core/errors.ts";
import type { AccountDatabase } from "./account-tables.ts";

/**
 * Takes a step of the first set-up inside a transaction. Of two transactions one takes it; the other waits for
 * the first to end, and finds it taken.
 */
export async function takeStep(trx: AccountDatabase, step: "organization" | "owner", now: number): Promise<boolean> {
	const taken = await trx
		.insertInto("installation")
		.values({ step, doneAt: now })
		.onConflict((conflict) => conflict.doNothing())
		.returning("step")
		.executeTakeFirst();
	return taken !== undefined;
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
	/** From hashPassword: hashing takes long, and nothing slow belongs into a transaction. */
	passwordHash: string;
}

export const hashNewPassword = (password: string): Promise<string> => hashPassword(password);

/**
 * A user who signs in by password and belongs to the organization.
 * @returns the user's id. @throws conflict when the e-mail has an account.
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
		throw new TapedeckError("conflict", "There is an account with this e-mail already. Sign in with it instead.");
	}
	const userId = user.id;
	await insertPassword(trx, userId, passwordHash, at);
	await insertMember(trx, { organizationId, role, userId }, now);
	return userId;
}

/** Gives a user, who may have had none, this password. */
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
