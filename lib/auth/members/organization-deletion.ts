/** An owner asks to delete the organization, and every owner can cancel that until it happens. */
import type { OrganizationDeletion } from "@tapedeck/contract/organization.ts";
import { ORGANIZATION_GRACE_DAYS } from "@tapedeck/contract/organization-grace.ts";
import type { Selectable } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import type { Context } from "#lib/core/context.ts";
import { invalid, notFound, TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import type { OrganizationDeletionTable } from "#lib/db/schema.ts";
import { assertMayGrant, changeMembers, userOf } from "./membership.ts";

const DAY_MS = 86_400_000;

/**
 * `POST /v1/organization/deletion`. Asked again, it stays as it was.
 * @param name the organization's name, as a second question.
 * @throws validation_failed at `name` if it is another one; conflict for the dashboard's only organization.
 */
export async function requestDeletion(ctx: Context, name: string): Promise<OrganizationDeletion> {
	const requestedBy = userOf(ctx).name;
	return changeMembers(ctx, async (ctx, caller) => {
		assertMayGrant(caller.role, "owner");
		const { organizationId } = ctx.actor;
		// If two owners delete the last two organizations at once, one must see the other's change.
		const organizations = await ctx.db
			.updateTable("organization")
			.set((row) => ({ slug: row.ref("slug") }))
			.returning(["id", "name"])
			.execute();
		const own = organizations.find(({ id }) => id === organizationId);
		if (own === undefined) throw notFound("organization");
		if (own.name !== name) {
			const message = `Send the organization's name, "${own.name}", to confirm that it is the one.`;
			throw invalid({ path: "name", code: "wrong_name", message });
		}
		const going = await ctx.db.selectFrom("organizationDeletion").selectAll().execute();
		const known = going.find((one) => one.organizationId === organizationId);
		if (known !== undefined) return deletionView(known);
		if (organizations.length - going.length < 2) {
			throw new TapedeckError(
				"conflict",
				"This is the dashboard's only organization. Create another one first; or stop the dashboard and delete its data.",
			);
		}
		const now = ctx.clock.now();
		const row = { organizationId, requestedAt: now, requestedBy, deleteAt: now + ORGANIZATION_GRACE_DAYS * DAY_MS };
		await ctx.db.insertInto("organizationDeletion").values(row).execute();
		const target = { kind: "organization", id: organizationId, name } as const;
		await audit(ctx, {
			action: "organization.deletion_requested",
			target,
			detail: { deleteAt: timestamp(row.deleteAt) },
		});
		return deletionView(row);
	});
}

/** `DELETE /v1/organization/deletion`. Idempotent. */
export async function cancelDeletion(ctx: Context): Promise<void> {
	await changeMembers(ctx, async (ctx, caller) => {
		assertMayGrant(caller.role, "owner");
		const { organizationId: id } = ctx.actor;
		const cancelled = await ctx.db
			.deleteFrom("organizationDeletion")
			.where("organizationId", "=", id)
			.returning("organizationId")
			.executeTakeFirst();
		if (cancelled === undefined) return;
		const { name } = await ctx.db
			.selectFrom("organization")
			.select("name")
			.where("id", "=", id)
			.executeTakeFirstOrThrow();
		await audit(ctx, { action: "organization.deletion_cancelled", target: { kind: "organization", id, name } });
	});
}

const deletionView = (row: Selectable<OrganizationDeletionTable>): OrganizationDeletion => ({
	requestedAt: timestamp(row.requestedAt),
	requestedBy: row.requestedBy,
	deleteAt: timestamp(row.deleteAt),
});
