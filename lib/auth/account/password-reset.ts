/** Password resets: an admin creates a link that lets its holder set a new password, once, within a day. */
import type { NewPasswordReset, PasswordReset } from "@tapedeck/contract/account.ts";
import { rolesWithin } from "@tapedeck/contract/permissions.ts";
import { type AuditActor, audit } from "#lib/audit/write-audit.ts";
import { type Actor, type Context, type Database, inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { timestamp } from "#lib/core/times.ts";
import type { Mailer } from "#lib/mail/mailer.ts";
import { passwordMail } from "#lib/mail/mails.ts";
import { passwordHashOf, setPasswordHash } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import type { AuthDeps } from "../better-auth/auth.ts";
import { hashNewPassword } from "../better-auth/new-password.ts";
import { makeLinkToken } from "../credentials/credential-secret.ts";
import { endConfirmedSignIns } from "../credentials/device-sign-in.ts";
import { readMember } from "../members/list-members.ts";
import { userOf } from "../members/membership.ts";
import { auditWithoutMember, findAccount, MAIL_READER, OPERATOR, personOf } from "./operator.ts";

const LIFE_MS = 86_400_000;

/**
 * Creates a link for a member who cannot sign in, and invalidates any earlier one for the same person.
 * @returns the link, which is never shown again.
 * @throws forbidden when the member has a role, here or in another organization, that the caller cannot grant;
 *   not_found when the organization has no such member; conflict when the caller is that member.
 */
export async function createPasswordReset(
	ctx: Context & { mailer: Mailer | null },
	userId: number,
): Promise<NewPasswordReset> {
	const caller = userOf(ctx);
	const { name, email } = await readMember(ctx, userId);
	if (userId === caller.userId) {
		throw new TapedeckError("conflict", "Change your own password in Settings > Your account.");
	}
	if (!(await mayReset(ctx.db, caller.userId, userId))) {
		throw new TapedeckError(
			"forbidden",
			`${name} has a role, here or in another organization, that you cannot assign. Ask someone with that permission.`,
		);
	}
	const link = await inTransaction(ctx, async (ctx) => {
		await audit(ctx, { action: "password.reset_link_created", target: { kind: "user", id: userId, name } });
		return insertLink(ctx, userId, caller.userId);
	});
	return { ...link, emailed: ctx.mailer !== null && (await ctx.mailer.send(passwordMail(link, email))) };
}

/**
 * Creates a link on behalf of the operator of the dashboard's machine: for owners, whom nobody else could help.
 * Recorded in the audit log of every organization of theirs.
 * @throws not_found when no account has the email.
 */
export async function createPasswordResetAsOperator(
	deps: Pick<Context, "db" | "clock" | "baseUrl">,
	email: string,
): Promise<PasswordReset> {
	return createWithoutAdmin(deps, OPERATOR, await findAccount(deps.db, email));
}

/**
 * Creates a link for the person who reads the email of an account.
 * @returns null when no account has the email, or the account has no password: its single sign-on provider decides who
 *   may sign in.
 */
export async function createOwnPasswordReset(
	deps: Pick<Context, "db" | "clock" | "baseUrl" | "address">,
	email: string,
): Promise<PasswordReset | null> {
	const person = await personOf(deps.db, email);
	if (person === undefined || (await passwordHashOf(accountTables(deps.db), person.id)) === null) return null;
	return createWithoutAdmin(deps, MAIL_READER, person);
}

function createWithoutAdmin(
	deps: Parameters<typeof auditWithoutMember>[0] & Pick<Context, "baseUrl">,
	author: AuditActor,
	person: Awaited<ReturnType<typeof findAccount>>,
): Promise<PasswordReset> {
	return inTransaction(deps, async (deps) => {
		await auditWithoutMember(deps, author, person, "password.reset_link_created");
		// No admin can create a link for themselves, so a link with the same creator and recipient was made without one.
		return insertLink(deps, person.id, person.id);
	});
}

async function insertLink(
	ctx: Pick<Context, "db" | "clock" | "baseUrl">,
	userId: number,
	createdByUserId: number,
): Promise<PasswordReset> {
	const { token, hash } = makeLinkToken();
	const now = ctx.clock.now();
	const link = { hash, createdByUserId, createdAt: now, expiresAt: now + LIFE_MS };
	await ctx.db
		.insertInto("passwordResetLink")
		.values({ userId, ...link })
		.onConflict((conflict) => conflict.column("userId").doUpdateSet(link))
		.execute();
	return { url: `${ctx.baseUrl}/reset-password#${token}`, expiresAt: timestamp(link.expiresAt) };
}

/**
 * Sets the new password and ends all of the person's sessions. Of two calls with one link, exactly one succeeds.
 * @throws gone when the link was used, replaced, has expired, or its creator may no longer reset this password.
 */
export async function resetPassword(
	deps: AuthDeps & Pick<Context, "address">,
	body: { token: string; password: string },
): Promise<void> {
	const hash = hashSecret(body.token);
	const now = deps.clock.now();
	const link = await deps.db
		.selectFrom("passwordResetLink")
		.innerJoin("user", "user.id", "passwordResetLink.userId")
		.select(["user.name", "user.email"])
		.where("hash", "=", hash)
		.executeTakeFirst();
	if (link === undefined) throw linkIsOver();
	const passwordHash = await hashNewPassword({
		password: body.password,
		field: "password",
		personal: [link.email, link.name],
	});
	await inTransaction(deps, async (deps) => {
		const used = await deps.db
			.deleteFrom("passwordResetLink")
			.where("hash", "=", hash)
			.where("expiresAt", ">", now)
			.returning(["userId", "createdByUserId"])
			.executeTakeFirst();
		const isWithoutAdmin = used !== undefined && used.createdByUserId === used.userId;
		if (used === undefined || !(isWithoutAdmin || (await mayReset(deps.db, used.createdByUserId, used.userId)))) {
			throw linkIsOver();
		}
		const trx = accountTables(deps.db);
		await setPasswordHash(trx, used.userId, passwordHash, now);
		await trx.deleteFrom("session").where("userId", "=", used.userId).execute();
		await endConfirmedSignIns(deps, used.userId);
		for (const actor of await personIn(deps.db, used.userId)) {
			await audit(
				{ ...deps, actor },
				{ action: "password.reset", target: { kind: "user", id: actor.userId, name: actor.name } },
			);
		}
	});
	deps.credentials.forget();
}

const linkIsOver = () =>
	new TapedeckError(
		"gone",
		"This link was already used, was replaced or has expired. Ask an admin of your organization for a new one.",
	);

/**
 * Whether one person may set another's password, which means being able to become that person: only if in every
 * organization of theirs one may grant the role that they have.
 */
async function mayReset(db: Database, byUserId: number, userId: number): Promise<boolean> {
	const rows = await db
		.selectFrom("member")
		.leftJoin("member as by", (join) =>
			join.onRef("by.organizationId", "=", "member.organizationId").on("by.userId", "=", byUserId),
		)
		.select(["member.role", "by.role as byRole"])
		.where("member.userId", "=", userId)
		.execute();
	return rows.length > 0 && rows.every(({ role, byRole }) => byRole !== null && rolesWithin(byRole).includes(role));
}

/** The person as a member of each of their organizations: a reset affects all of them. */
async function personIn(db: Database, userId: number): Promise<Extract<Actor, { kind: "user" }>[]> {
	const rows = await db
		.selectFrom("member")
		.innerJoin("user", "user.id", "member.userId")
		.select(["member.organizationId", "member.role", "user.name"])
		.where("member.userId", "=", userId)
		.execute();
	return rows.map((row) => ({ kind: "user", userId, ...row }));
}
