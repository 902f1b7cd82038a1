/** Reading the links that invite: what each is worth at this moment. */
import type { Invitation, InvitationState } from "../../contract/member.ts";
import type { Role } from "../../contract/organization.ts";
import { rolesWithin } from "../../contract/permissions.ts";
import { TapedeckError } from "../../core/errors.ts";
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
		.select(["maker.name as makerName", "taker.name as takerName", "member.role as makerRole"])
		.select("organization.name as organizationName");

export type InvitationRow = Awaited<ReturnType<ReturnType<typeof invitationRows>["executeTakeFirstOrThrow"]>>;

/** An invitation is worth what its maker may give today: nothing once the maker has left or was demoted. */
export function stateOf(row: InvitationRow, now: number): InvitationState {
	if (row.acceptedAt !== null) return "accepted";
	const makerRole = row.makerRole as Role | null;
	const within = makerRole === null ? [] : rolesWithin(makerRole);
	if (row.revokedAt !== null || !within.includes(row.role)) return "revoked";
	return row.expiresAt <= now ? "expired" : "open";
}

export const invitationView = (row: InvitationRow, now: number): Invitation => ({
	id: row.id,
	role: row.role,
	email: row.email,
	state: stateOf(row, now),
	createdBy: row.makerName,
	createdAt: new Date(row.createdAt).toISOString(),
	expiresAt: new Date(row.expiresAt).toISOString(),
	acceptedBy: row.takerName,
});

const REFUSALS: Record<Exclude<InvitationState, "open">, string> = {
	accepted: "This invitation has been used. If it was you, sign in; else ask for a new one.",
	revoked: "This invitation was revoked. Ask an admin of the organization for a new one.",
	expired: "This invitation has expired. Ask an admin of the organization for a new one.",
};

export const unknownLink = (): TapedeckError =>
	new TapedeckError("not_found", "This link is not known. Check that you copied all of it, or ask for a new one.");

/** @throws gone, with what to do. */
export function assertOpen(row: InvitationRow, now: number): void {
	const state = stateOf(row, now);
	if (state !== "open") throw new TapedeckError("gone", REFUSALS[state]);
}
