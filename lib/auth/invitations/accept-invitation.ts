/** The way in through a link that invites: with the account that one has, or with a new one. */
import type { SignUpBody } from "../../contract/account.ts";
import type { OpenedInvitation } from "../../contract/member.ts";
import { audit } from "../../core/audit.ts";
import type { Actor, Context } from "../../core/context.ts";
import { invalid, TapedeckError } from "../../core/errors.ts";
import { hashNewPassword, insertMember, insertUser } from "../better-auth/account-rows.ts";
import { type AccountDatabase, accountTables } from "../better-auth/account-tables.ts";
import type { AuthDeps, Session } from "../auth.ts";
import { hashSecret } from "../credential-secret.ts";
import { assertOpen, type InvitationRow, invitationRows, stateOf, unknownLink } from "./invitation-links.ts";
import { holdMembers, membersChanged } from "../membership.ts";

type Deps = AuthDeps & Pick<Context, "facts" | "address">;
type UserActor = Extract<Actor, { kind: "user" }>;

/** What a link says of itself to whoever holds it. @throws not_found for a token that none has. */
export async function openInvitation(deps: AuthDeps, token: string): Promise<OpenedInvitation> {
	const row = await findRow(accountTables(deps.db), token);
	return {
		organizationName: row.organizationName,
		role: row.role,
		email: row.email,
		state: stateOf(row, deps.clock.now()),
		expiresAt: new Date(row.expiresAt).toISOString(),
	};
}

/**
 * Takes a signed-in user into the organization; the session acts for it from now on.
 * @throws not_found, gone; validation_failed at `email` when the link is for another; conflict for a member, who keeps the link unused.
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
			throw new TapedeckError("conflict", `You belong to ${row.organizationName} already.`);
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
 * Makes an account and takes it into the organization, both or neither.
 * @throws not_found, gone; validation_failed at `email` when the link is for another; conflict when there is such an account.
 */
export async function signUp(deps: Deps, body: SignUpBody): Promise<UserActor> {
	// Hashing costs: it is not done for whoever has no link.
	assertOpen(await findRow(accountTables(deps.db), body.token), deps.clock.now());
	const { name, email } = body;
	const passwordHash = await hashNewPassword(body.password);
	return takeInvitation(deps, body.token, body, (trx, row) =>
		insertUser(trx, row, { name, email, passwordHash }, deps.clock.now()),
	);
}

/** In one transaction: looks whether the link still holds, lets `enter` make the member, and uses the link up. */
async function takeInvitation(
	deps: Deps,
	token: string,
	{ name, email }: { name: string; email: string },
	enter: (trx: AccountDatabase, row: InvitationRow) => Promise<number>,
): Promise<UserActor> {
	const actor = await deps.db.transaction().execute(async (transaction) => {
		const trx = accountTables(transaction);
		const { organizationId } = await findRow(trx, token);
		await holdMembers(transaction, organizationId);
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
		message: `This invitation is for ${row.email}. Use the account with that e-mail, or ask for another invitation.`,
	});
}
