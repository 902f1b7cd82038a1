/** Links that invite into an organization, as its admins make, see and revoke them. */
import type { CreateInvitationBody, Invitation, ListMembersQuery, NewInvitation } from "../../contract/member.ts";
import type { Page } from "../../contract/page.ts";
import { assertMayAdminister } from "../../core/access.ts";
import { audit } from "../../core/audit.ts";
import type { Context } from "../../core/context.ts";
import { pageFrom, readCursor } from "../../core/cursor.ts";
import { notFound } from "../../core/errors.ts";
import { inTransaction } from "../../core/in-transaction.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { assertOpen, invitationRows, invitationView } from "./invitation-links.ts";
import { makeLinkToken } from "../link-token.ts";
import { assertMayGive, membersChanged, userOf } from "../membership.ts";

const LIFE_MS = 7 * 86_400_000;

/**
 * Makes a link that lets one person in, within 7 days.
 * @returns the invitation with its link: the only time that it is shown.
 * @throws forbidden for everyone but owners and admins, and for admins who invite an owner.
 */
export async function createInvitation(ctx: Context, body: CreateInvitationBody): Promise<NewInvitation> {
	assertMayAdminister(ctx);
	const { organizationId, userId, role } = userOf(ctx);
	assertMayGive(role, body.role);
	const { token, hash } = makeLinkToken();
	const now = ctx.clock.now();
	const email = body.email?.toLowerCase() ?? null;
	const made = { organizationId, hash, role: body.role, email, createdByUserId: userId };
	const row = await inTransaction(ctx, async (ctx) => {
		const { id } = await ctx.db
			.insertInto("invitationLink")
			.values({ ...made, createdAt: now, expiresAt: now + LIFE_MS })
			.returning("id")
			.executeTakeFirstOrThrow();
		const target = { kind: "invitation", id, name: email } as const;
		await audit(ctx, { action: "invitation.created", target, detail: { role: body.role } });
		return invitationRows(accountTables(ctx.db)).where("invitationLink.id", "=", id).executeTakeFirstOrThrow();
	});
	membersChanged(ctx, organizationId);
	return { ...invitationView(row, now), url: `${ctx.baseUrl}/invite#${token}` };
}

/** The organization's invitations, newest first. @throws forbidden for everyone but owners and admins. */
export async function listInvitations(ctx: Context, query: ListMembersQuery): Promise<Page<Invitation>> {
	assertMayAdminister(ctx);
	let rows = invitationRows(accountTables(ctx.db))
		.where("invitationLink.organizationId", "=", ctx.actor.organizationId)
		.orderBy("invitationLink.id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("invitationLink.id", "<", readCursor(query.cursor));
	const now = ctx.clock.now();
	return pageFrom(await rows.execute(), query.limit, (row) => invitationView(row, now));
}

/**
 * Ends an invitation that nobody has used yet.
 * @throws forbidden for everyone but owners and admins; not_found; gone when it is over already.
 */
export async function revokeInvitation(ctx: Context, id: number): Promise<void> {
	assertMayAdminister(ctx);
	const { organizationId } = ctx.actor;
	const now = ctx.clock.now();
	const revoked = await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.updateTable("invitationLink")
			.set({ revokedAt: now })
			.where("id", "=", id)
			.where("organizationId", "=", organizationId)
			.where("acceptedAt", "is", null)
			.where("revokedAt", "is", null)
			.where("expiresAt", ">", now)
			.returning("email")
			.executeTakeFirst();
		if (row === undefined) return false;
		await audit(ctx, { action: "invitation.revoked", target: { kind: "invitation", id, name: row.email } });
		return true;
	});
	if (revoked) return membersChanged(ctx, organizationId);
	const row = await invitationRows(accountTables(ctx.db))
		.where("invitationLink.id", "=", id)
		.where("invitationLink.organizationId", "=", organizationId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("invitation");
	assertOpen(row, now);
}
