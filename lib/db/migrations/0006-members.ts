/** Invitation links and password reset links; and a unique membership per user and organization. */
import type { Kysely } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64, withId } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await db.schema.createIndex("member_once").on("member").columns(["organizationId", "userId"]).unique().execute();
	await withId(db.schema.createTable("invitationLink"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("hash", "text", (c) => c.notNull().unique())
		.addColumn("role", "text", (c) => c.notNull())
		.addColumn("email", "text")
		.addColumn("createdByUserId", int, (c) => c.notNull().references("user.id").onDelete("cascade"))
		.addColumn("createdAt", int, (c) => c.notNull())
		.addColumn("expiresAt", int, (c) => c.notNull())
		.addColumn("revokedAt", int)
		.addColumn("acceptedAt", int)
		.addColumn("acceptedByUserId", int, (c) => c.references("user.id").onDelete("set null"))
		.execute();
	await db.schema
		.createIndex("invitation_link_by_organization")
		.on("invitationLink")
		.columns(["organizationId", "id"])
		.execute();
	await withId(db.schema.createTable("passwordResetLink"), dialect)
		.addColumn("userId", int, (c) => c.notNull().unique().references("user.id").onDelete("cascade"))
		.addColumn("hash", "text", (c) => c.notNull().unique())
		.addColumn("createdByUserId", int, (c) => c.notNull().references("user.id").onDelete("cascade"))
		.addColumn("createdAt", int, (c) => c.notNull())
		.addColumn("expiresAt", int, (c) => c.notNull())
		.execute();
}
