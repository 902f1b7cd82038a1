/** Invitations to an organization: created, listed and revoked by its admins. */
import type { CreateInvitationBody, Invitation, ListMembersQuery, NewInvitation } from "@tapedeck/contract/member.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { notFound } from "#lib/core/errors.ts";
import type { Mailer } from "#lib/mail/mailer.ts";
import { invitationMail } from "#lib/mail/mails.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { makeLinkToken } from "../credentials/credential-secret.ts";
import { assertMayGrant, membersChanged, userOf } from "../members/membership.ts";
import { assertOpen, invitationRows, invitationView } from "./invitation-links.ts";

const LIFE_MS = 7 * 86_400_000;

/**
 * Creates a link that lets one person join within 7 days, and sends it to the email that may use it, if there is one.
 * @returns the invitation with its link, which is never shown again.
 * @throws forbidden for everyone but owners and admins, and for admins who invite an owner.
 */
export async function createInvitation(
	ctx: Context & { mailer: Mailer | null },
	body: CreateInvitationBody,
): Promise<NewInvitation> {
	const { organizationId, userId, role, name } = userOf(ctx);
	assertMayGrant(role, body.role);
	const { token, hash } = makeLinkToken();
	const now = ctx.clock.now();
	const email = body.email?.toLowerCase() ?? null;
	const values = { organizationId, hash, role: body.role, email, createdByUserId: userId };
	const row = await inTransaction(ctx, async (ctx) => {
		const { id } = await ctx.db
			.insertInto("invitationLink")
			.values({ ...values, createdAt: now, expiresAt: now + LIFE_MS })
			.returning("id")
			.executeTakeFirstOrThrow();
		const target = { kind: "invitation", id, name: email } as const;
		await audit(ctx, { action: "invitation.created", target, detail: { role: body.role } });
		return invitationRows(accountTables(ctx.db)).where("invitationLink.id", "=", id).executeTakeFirstOrThrow();
	});
	membersChanged(ctx, organizationId);
	const invitation = { ...invitationView(row, now), url: `${ctx.baseUrl}/invite#${token}` };
	if (email === null || ctx.mailer === null) return { ...invitation, emailed: false };
	const organization = await ctx.db
		.selectFrom("organization")
		.select("name")
		.where("id", "=", organizationId)
		.executeTakeFirstOrThrow();
	const mail = invitationMail({ ...invitation, email }, { organization: organization.name, inviter: name });
	return { ...invitation, emailed: await ctx.mailer.send(mail) };
}

/** The organization's invitations, newest first. @throws forbidden for everyone but owners and admins. */
export async function listInvitations(ctx: Context, query: ListMembersQuery): Promise<Page<Invitation>> {
	let rows = invitationRows(accountTables(ctx.db))
		.where("invitationLink.organizationId", "=", ctx.actor.organizationId)
		.orderBy("invitationLink.id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("invitationLink.id", "<", readCursor(query.cursor));
	const now = ctx.clock.now();
	return pageFrom(await rows.execute(), query.limit, (row) => invitationView(row, now));
}

/**
 * Revokes an unused invitation.
 * @throws forbidden for everyone but owners and admins; not_found; gone when it is already accepted, revoked or
 *   expired.
 */
export async function revokeInvitation(ctx: Context, id: number): Promise<void> {
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
