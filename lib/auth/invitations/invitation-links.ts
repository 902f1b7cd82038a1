/** Invitations as rows, and their current state. */
import type { Invitation, InvitationState } from "@tapedeck/contract/member.ts";
import type { Role } from "@tapedeck/contract/permissions.ts";
import { rolesWithin } from "@tapedeck/contract/permissions.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import type { AccountDatabase } from "../better-auth/account-tables.ts";

export const invitationRows = (db: AccountDatabase) =>
	db
		.selectFrom("invitationLink")
		.innerJoin("user as maker", "maker.id", "invitationLink.createdByUserId")
		.leftJoin("user as taker", "taker.id", "invitationLink.acceptedByUserId")
		.leftJoin("member", (join) =>
			join
				.onRef("member.userId", "=", "invitationLink.createdByUserId")
				.onRef("member.organizationId", "=", "invitationLink.organizationId"),
		)
		.innerJoin("organization", "organization.id", "invitationLink.organizationId")
		.selectAll("invitationLink")
		.select(["maker.name as creatorName", "taker.name as takerName", "member.role as creatorRole"])
		.select("organization.name as organizationName");

export type InvitationRow = Awaited<ReturnType<ReturnType<typeof invitationRows>["executeTakeFirstOrThrow"]>>;

/** An invitation allows what its creator may grant now: nothing once the creator has left or been demoted. */
export function stateOf(row: InvitationRow, now: number): InvitationState {
	if (row.acceptedAt !== null) return "accepted";
	const creatorRole = row.creatorRole as Role | null;
	const within = creatorRole === null ? [] : rolesWithin(creatorRole);
	if (row.revokedAt !== null || !within.includes(row.role)) return "revoked";
	return row.expiresAt <= now ? "expired" : "open";
}

export const invitationView = (row: InvitationRow, now: number): Invitation => ({
	id: row.id,
	role: row.role,
	email: row.email,
	state: stateOf(row, now),
	createdBy: row.creatorName,
	createdAt: timestamp(row.createdAt),
	expiresAt: timestamp(row.expiresAt),
	acceptedBy: row.takerName,
});

const REFUSALS: Record<Exclude<InvitationState, "open">, string> = {
	accepted: "This invitation was already used. If that was you, sign in; otherwise ask for a new one.",
	revoked: "This invitation was revoked. Ask an admin of the organization for a new one.",
	expired: "This invitation has expired. Ask an admin of the organization for a new one.",
};

export const unknownLink = (): TapedeckError =>
	new TapedeckError("not_found", "This link is not valid. Check that you copied all of it, or ask for a new one.");

/** @throws gone, with the remedy. */
export function assertOpen(row: InvitationRow, now: number): void {
	const state = stateOf(row, now);
	if (state !== "open") throw new TapedeckError("gone", REFUSALS[state]);
}
