/** Runners, jobs, recordings and their history; API keys, runner tokens and retention. */
import type { Kysely } from "kysely";
import type { DialectName } from "../dialect.ts";
import { float64, int64, withId } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await createRunnerTables(db, dialect);
	await createJobTables(db, dialect);
	await createRecordingTables(db, dialect);
	await createCredentialTables(db, dialect);
}

async function createRunnerTables(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await withId(db.schema.createTable("runner"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("version", "text", (c) => c.notNull())
		.addColumn("instanceId", "text")
		.addColumn("sessionId", "text")
		.addColumn("displays", "text", (c) => c.notNull())
		.addColumn("lastSeenAt", int)
		.addColumn("createdAt", int, (c) => c.notNull())
		.addUniqueConstraint("runner_name", ["organizationId", "name"])
		.execute();
}

async function createJobTables(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await withId(db.schema.createTable("job"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("runnerId", int, (c) => c.notNull().references("runner.id"))
		.addColumn("type", "text", (c) => c.notNull())
		.addColumn("displayId", "text", (c) => c.notNull())
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("stopCondition", "text", (c) => c.notNull())
		.addColumn("stopConditionConfig", "text", (c) => c.notNull())
		.addColumn("gridPasswordSealed", "text")
		.addColumn("status", "text", (c) => c.notNull())
		.addColumn("stopReason", "text")
		.addColumn("heldStopReason", "text")
		.addColumn("errorMessage", "text")
		.addColumn("createdAt", int, (c) => c.notNull())
		.addColumn("startedAt", int)
		.addColumn("stoppedAt", int)
		.addColumn("endedAt", int)
		.addColumn("cancelRequestedAt", int)
		.addColumn("createdByKind", "text")
		.addColumn("createdById", int)
		.addColumn("createdByName", "text")
		.addColumn("runnerKey", "text")
		.addUniqueConstraint("job_runner_key", ["runnerId", "runnerKey"])
		.execute();
	await db.schema.createIndex("job_by_organization").on("job").columns(["organizationId", "id"]).execute();
	await db.schema.createIndex("job_by_status").on("job").columns(["organizationId", "status", "id"]).execute();
	await db.schema.createIndex("job_by_runner").on("job").columns(["runnerId", "status", "id"]).execute();
	await db.schema.createIndex("job_by_state").on("job").columns(["status"]).execute();
	await withId(db.schema.createTable("jobEvent"), dialect)
		.addColumn("jobId", int, (c) => c.notNull().references("job.id").onDelete("cascade"))
		.addColumn("type", "text", (c) => c.notNull())
		.addColumn("at", int, (c) => c.notNull())
		.addColumn("message", "text", (c) => c.notNull())
		.addColumn("data", "text", (c) => c.notNull())
		.addColumn("runnerSeq", int)
		.addUniqueConstraint("job_event_runner_seq", ["jobId", "runnerSeq"])
		.execute();
	await db.schema.createIndex("job_event_by_job").on("jobEvent").columns(["jobId", "id"]).execute();
	await db.schema
		.createTable("idempotencyKey")
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("key", "text", (c) => c.notNull())
		.addColumn("bodyHash", "text", (c) => c.notNull())
		.addColumn("answer", "text", (c) => c.notNull())
		.addColumn("jobId", int, (c) => c.notNull().references("job.id").onDelete("cascade"))
		.addColumn("createdAt", int, (c) => c.notNull())
		.addPrimaryKeyConstraint("idempotency_key_pk", ["organizationId", "key"])
		.execute();
	await withId(db.schema.createTable("marker"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("jobId", int, (c) => c.notNull().references("job.id").onDelete("cascade"))
		.addColumn("label", "text", (c) => c.notNull())
		.addColumn("kind", "text", (c) => c.notNull())
		.addColumn("at", int, (c) => c.notNull())
		.addColumn("createdAt", int, (c) => c.notNull())
		.execute();
	await db.schema.createIndex("marker_by_job").on("marker").columns(["jobId", "at", "id"]).execute();
}

async function createRecordingTables(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await withId(db.schema.createTable("recording"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("jobId", int, (c) => c.unique().references("job.id").onDelete("set null"))
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("state", "text", (c) => c.notNull())
		.addColumn("contentType", "text", (c) => c.notNull())
		.addColumn("uploadId", "text", (c) => c.notNull().unique())
		.addColumn("durationSeconds", float64(dialect), (c) => c.notNull())
		.addColumn("bytes", int, (c) => c.notNull())
		.addColumn("width", int)
		.addColumn("height", int)
		.addColumn("verdict", "text")
		.addColumn("pinned", int, (c) => c.notNull().defaultTo(0))
		.addColumn("createdAt", int, (c) => c.notNull())
		.addColumn("updatedAt", int, (c) => c.notNull())
		.execute();
	await db.schema.createIndex("recording_by_organization").on("recording").columns(["organizationId", "id"]).execute();
	await db.schema.createIndex("recording_by_state").on("recording").columns(["state", "updatedAt"]).execute();
	await db.schema
		.createTable("retention")
		.addColumn("organizationId", int, (c) => c.primaryKey().references("organization.id").onDelete("cascade"))
		.addColumn("maxAgeDays", int)
		.addColumn("maxDiskPercent", int)
		.addColumn("maxBytes", int)
		.execute();
}

async function createCredentialTables(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await withId(db.schema.createTable("apiKey"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("prefix", "text", (c) => c.notNull())
		.addColumn("hash", "text", (c) => c.notNull().unique())
		.addColumn("scopes", "text", (c) => c.notNull())
		.addColumn("createdByUserId", int)
		.addColumn("createdAt", int, (c) => c.notNull())
		.addColumn("lastUsedAt", int)
		.addColumn("expiresAt", int)
		.addColumn("revokedAt", int)
		.execute();
	await withId(db.schema.createTable("runnerToken"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("prefix", "text", (c) => c.notNull())
		.addColumn("hash", "text", (c) => c.notNull().unique())
		.addColumn("createdAt", int, (c) => c.notNull())
		.addColumn("lastUsedAt", int)
		.addColumn("revokedAt", int)
		.execute();
}
