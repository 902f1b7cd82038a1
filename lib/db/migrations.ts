/** The migrations, in order, imported by name because a bundled server has no folder to read. */
import type { Kysely } from "kysely";
import type { MigrationProvider } from "kysely/migration";
import type { DialectName } from "./dialect.ts";
import type { Progress } from "./migration-log.ts";
import * as accounts from "./migrations/0001-accounts.ts";
import * as recordingJobs from "./migrations/0002-recording-jobs.ts";
import * as runnerNames from "./migrations/0003-runner-names.ts";
import * as recordingsInOrder from "./migrations/0004-recordings-in-order.ts";
import * as markersOfRecordings from "./migrations/0005-markers-of-recordings.ts";
import * as members from "./migrations/0006-members.ts";
import * as trust from "./migrations/0007-trust.ts";
import * as organizationRoom from "./migrations/0008-organization-room.ts";
import * as dashboardIdentity from "./migrations/0009-dashboard-identity.ts";
import * as downloadBytes from "./migrations/0010-download-bytes.ts";
import * as sweepIndexes from "./migrations/0011-sweep-indexes.ts";
import * as manyJobs from "./migrations/0012-many-jobs.ts";
import * as runnerSessions from "./migrations/0013-runner-sessions.ts";
import * as severalDashboards from "./migrations/0015-several-dashboards.ts";
import * as bucket from "./migrations/0016-bucket.ts";
import * as labels from "./migrations/0017-labels.ts";
import * as nodes from "./migrations/0018-nodes.ts";
import * as sessions from "./migrations/0019-sessions.ts";
import * as builds from "./migrations/0020-builds.ts";
import * as waitingBytes from "./migrations/0024-waiting-bytes.ts";
import * as failures from "./migrations/0025-failures.ts";
import * as tokenLimits from "./migrations/0026-token-limits.ts";
import * as deviceSignIns from "./migrations/0027-device-sign-ins.ts";
import * as markerMessages from "./migrations/0028-marker-messages.ts";
import * as expectedOutcomes from "./migrations/0029-expected-outcomes.ts";
import * as deletedRecordings from "./migrations/0031-deleted-recordings.ts";
import * as configurationAndClock from "./migrations/0034-configuration-and-clock.ts";

/** One migration. `dialect` is for syntax that differs between SQLite and PostgreSQL. */
export interface MigrationFile {
	up(db: Kysely<unknown>, dialect: DialectName, progress: Progress): Promise<void>;
}

const files: Record<string, MigrationFile> = {
	"0001-accounts": accounts,
	"0002-recording-jobs": recordingJobs,
	"0003-runner-names": runnerNames,
	"0004-recordings-in-order": recordingsInOrder,
	"0005-markers-of-recordings": markersOfRecordings,
	"0006-members": members,
	"0007-trust": trust,
	"0008-organization-room": organizationRoom,
	"0009-dashboard-identity": dashboardIdentity,
	"0010-download-bytes": downloadBytes,
	"0011-sweep-indexes": sweepIndexes,
	"0012-many-jobs": manyJobs,
	"0013-runner-sessions": runnerSessions,
	"0015-several-dashboards": severalDashboards,
	"0016-bucket": bucket,
	"0017-labels": labels,
	"0018-nodes": nodes,
	"0019-sessions": sessions,
	"0020-builds": builds,
	"0024-waiting-bytes": waitingBytes,
	"0025-failures": failures,
	"0026-token-limits": tokenLimits,
	"0027-device-sign-ins": deviceSignIns,
	"0028-marker-messages": markerMessages,
	"0029-expected-outcomes": expectedOutcomes,
	"0031-deleted-recordings": deletedRecordings,
	"0034-configuration-and-clock": configurationAndClock,
};

export const migrationProvider = (dialect: DialectName, progress: Progress): MigrationProvider => ({
	getMigrations: async () =>
		Object.fromEntries(
			Object.entries(files).map(([name, file]) => {
				const report: Progress = (step) => progress(`${name}: ${step}`);
				return [name, { up: (db: Kysely<unknown>) => file.up(db, dialect, report) }];
			}),
		),
});
