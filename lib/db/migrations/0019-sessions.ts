/** Sessions of grids: those that recordings hold, and all that runners saw. */
import type { Kysely } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64, withId } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await withId(db.schema.createTable("recordedSession"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("jobId", int, (c) => c.notNull().references("job.id").onDelete("cascade"))
		.addColumn("sessionId", "text", (c) => c.notNull())
		.addColumn("name", "text")
		.addColumn("startedAt", int, (c) => c.notNull())
		.addColumn("endedAt", int)
		.addColumn("capabilities", "text", (c) => c.notNull())
		.addUniqueConstraint("recorded_session_of_job", ["jobId", "sessionId"])
		.execute();
	await db.schema
		.createIndex("recorded_session_by_id")
		.on("recordedSession")
		.columns(["organizationId", "sessionId"])
		.execute();
	await withId(db.schema.createTable("gridSession"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("sessionId", "text", (c) => c.notNull())
		.addColumn("runnerId", int, (c) => c.notNull().references("runner.id").onDelete("cascade"))
		.addColumn("name", "text")
		.addColumn("node", "text")
		.addColumn("startedAt", int, (c) => c.notNull())
		.addColumn("endedAt", int)
		.addColumn("recorded", int, (c) => c.notNull().defaultTo(0))
		.addColumn("reason", "text")
		.addUniqueConstraint("grid_session_of_organization", ["organizationId", "sessionId"])
		.execute();
	await db.schema
		.createIndex("grid_session_by_start")
		.on("gridSession")
		.columns(["organizationId", "startedAt", "id"])
		.execute();
	await db.schema.createIndex("grid_session_by_age").on("gridSession").column("startedAt").execute();
	await db.schema.createIndex("grid_session_by_runner").on("gridSession").column("runnerId").execute();
}
