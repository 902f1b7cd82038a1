/** Accepts an invitation, with an existing account or a new one. */
import type { SignUpBody } from "@tapedeck/contract/account.ts";
import type { OpenedInvitation } from "@tapedeck/contract/member.ts";
import { audit } from "#lib/audit/write-audit.ts";
import type { Actor, Context } from "#lib/core/context.ts";
import { invalid, TapedeckError } from "#lib/core/errors.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { timestamp } from "#lib/core/times.ts";
import { insertMember, insertUser } from "../better-auth/account-rows.ts";
import { type AccountDatabase, accountTables } from "../better-auth/account-tables.ts";
import type { AuthDeps, Session } from "../better-auth/auth.ts";
import { hashNewPassword } from "../better-auth/new-password.ts";
import { lockMembers, membersChanged } from "../members/membership.ts";
import { assertOpen, type InvitationRow, invitationRows, stateOf, unknownLink } from "./invitation-links.ts";

type Deps = AuthDeps & Pick<Context, "events" | "address">;
type UserActor = Extract<Actor, { kind: "user" }>;

/** @returns the invitation as its holder sees it. @throws not_found for an unknown token. */
export async function openInvitation(deps: AuthDeps, token: string): Promise<OpenedInvitation> {
	const row = await findRow(accountTables(deps.db), token);
	return {
		organizationName: row.organizationName,
		role: row.role,
		email: row.email,
		state: stateOf(row, deps.clock.now()),
		expiresAt: timestamp(row.expiresAt),
	};
}

/**
 * Adds a signed-in user to the organization, which becomes the active one of the session.
 * @throws not_found, gone; validation_failed at `email` when the invitation is for another email; conflict for an
 *   existing member, which leaves the invitation unused.
 */
export async function acceptInvitation(deps: Deps, session: Session, token: string): Promise<UserActor> {
	const { userId } = session;
	return takeInvitation(deps, token, session, async (trx, row) => {
		const held = await trx
			.selectFrom("member")
			.select("id")
			.where("organizationId", "=", row.organizationId)
			.where("userId", "=", userId)
			.executeTakeFirst();
		if (held !== undefined) {
			throw new TapedeckError("conflict", `You are already a member of ${row.organizationName}.`);
		}
		await insertMember(trx, { organizationId: row.organizationId, userId, role: row.role }, deps.clock.now());
		await trx
			.updateTable("session")
			.set({ activeOrganizationId: String(row.organizationId) })
			.where("id", "=", session.id)
			.execute();
		return userId;
	});
}

/**
 * Creates an account and adds it to the organization, in one transaction.
 * @throws not_found, gone; validation_failed at `email` when the invitation is for another email; conflict when an
 *   account with the email exists.
 */
export async function signUp(deps: Deps, body: SignUpBody): Promise<UserActor> {
	// Hashing is expensive, so it is not done for callers without a valid invitation.
	assertOpen(await findRow(accountTables(deps.db), body.token), deps.clock.now());
	const { name, email } = body;
	const passwordHash = await hashNewPassword({
		password: body.password,
		field: "password",
		personal: [email, name],
	});
	return takeInvitation(deps, body.token, body, (trx, row) =>
		insertUser(trx, row, { name, email, passwordHash }, deps.clock.now()),
	);
}

/** In one transaction: checks the invitation, adds the member by `enter`, and marks the invitation accepted. */
async function takeInvitation(
	deps: Deps,
	token: string,
	{ name, email }: { name: string; email: string },
	enter: (trx: AccountDatabase, row: InvitationRow) => Promise<number>,
): Promise<UserActor> {
	const actor = await deps.db.transaction().execute(async (transaction) => {
		const trx = accountTables(transaction);
		const { organizationId } = await findRow(trx, token);
		await lockMembers(transaction, organizationId);
		const row = await findRow(trx, token);
		const now = deps.clock.now();
		assertOpen(row, now);
		assertMeant(row, email);
		const userId = await enter(trx, row);
		await trx
			.updateTable("invitationLink")
			.set({ acceptedAt: now, acceptedByUserId: userId })
			.where("id", "=", row.id)
			.execute();
		const actor: UserActor = { kind: "user", organizationId, userId, name, role: row.role };
		await audit(
			{ ...deps, db: transaction, actor },
			{
				action: "invitation.accepted",
				target: { kind: "invitation", id: row.id, name: row.email },
				detail: { role: row.role },
			},
		);
		return actor;
	});
	membersChanged(deps, actor.organizationId);
	return actor;
}

async function findRow(db: AccountDatabase, token: string): Promise<InvitationRow> {
	const row = await invitationRows(db).where("invitationLink.hash", "=", hashSecret(token)).executeTakeFirst();
	if (row === undefined) throw unknownLink();
	return row;
}

function assertMeant(row: InvitationRow, email: string): void {
	if (row.email === null || row.email === email.toLowerCase()) return;
	throw invalid({
		path: "email",
		code: "invalid",
		message: `This invitation is for ${row.email}. Use the account with that email, or ask for another invitation.`,
	});
}
