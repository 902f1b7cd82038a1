/**
 * The migrations, imported by name because a bundled server has no folder to read. A released migration is never
 * edited: databases that have already run it would differ from new ones.
 */
import type { Kysely } from "kysely";
import type { MigrationProvider } from "kysely/migration";
import type { DialectName } from "./dialect.ts";
import { createBaseline } from "./migrations/0001-baseline.ts";
import { addRepositories } from "./migrations/0017-repositories.ts";
import { addCauseRules } from "./migrations/0018-cause-rules.ts";
import { addApproximateResults } from "./migrations/0019-approximate-results.ts";
import { countMarkerBytes } from "./migrations/0020-marker-bytes.ts";
import { addKeptUntil } from "./migrations/0021-kept-until.ts";
import { addEphemeralRunners } from "./migrations/0022-ephemeral-runners.ts";
import { addTestSummaries } from "./migrations/0023-test-summaries.ts";
import { addTestRuns } from "./migrations/0024-test-runs.ts";
import { addWebhooks } from "./migrations/0026-webhooks.ts";
import { addGate } from "./migrations/0027-gate.ts";
import { addOrganizationDeletion } from "./migrations/0028-organization-deletion.ts";
import { addAttachments } from "./migrations/0029-attachments.ts";
import { addVirtualDisplays } from "./migrations/0033-virtual-displays.ts";
import { addSchedules } from "./migrations/0034-schedules.ts";
import { addWebhookKinds } from "./migrations/0038-webhook-kinds.ts";
import { addSecondFactor } from "./migrations/0040-second-factor.ts";
import { addStorageDays } from "./migrations/0047-storage-days.ts";
import { addAgentsResults } from "./migrations/0049-agents-results.ts";
import { addSlackTokens } from "./migrations/0051-slack-tokens.ts";
import { addPasskeys } from "./migrations/0052-passkeys.ts";
import { addUsedCodes } from "./migrations/0053-used-codes.ts";
import { addRecordingKinds } from "./migrations/0054-recording-kinds.ts";
import { removeFailureList } from "./migrations/0057-failure-list.ts";
import { addFileUploads } from "./migrations/0060-file-uploads.ts";
import { addKeyCapabilities } from "./migrations/0061-key-capabilities.ts";
import { countFlakyPasses } from "./migrations/0062-flaky-passes.ts";
import { addAttachmentSizes } from "./migrations/0063-attachment-sizes.ts";
import { addBuildEnds } from "./migrations/0064-build-ends.ts";

/** @param dialect for syntax that differs between SQLite and PostgreSQL. */
type Migration = (db: Kysely<unknown>, dialect: DialectName) => Promise<void>;

/**
 * Part of the baseline. Databases from before the first release have had them one by one, and dashboards of that time, which
 * may still run beside this one, would run those that a database lacks.
 */
const MERGED = [
	"0002-test-results",
	"0004-session-outcome",
	"0005-tracks",
	"0006-video-options",
	"0007-build-results",
	"0008-seen-groups",
	"0009-source-links",
	"0010-privacy",
	"0011-last-results",
	"0012-shown-by-links",
	"0013-pre-seconds",
	"0014-error-text",
	"0015-error-text-storage",
	"0016-buffer-seconds",
];

/** Every database of a release, or that can be updated to one, has had it. */
export const LAST_OF_BASELINE = "0016-buffer-seconds";

/** By name, in order. */
export const migrations: Record<string, Migration> = {
	"0001-baseline": createBaseline,
	...Object.fromEntries(MERGED.map((name) => [name, async () => undefined])),
	"0017-repositories": addRepositories,
	"0018-cause-rules": addCauseRules,
	"0019-approximate-results": addApproximateResults,
	"0020-marker-bytes": countMarkerBytes,
	"0021-kept-until": addKeptUntil,
	"0022-ephemeral-runners": addEphemeralRunners,
	"0023-test-summaries": addTestSummaries,
	"0024-test-runs": addTestRuns,
	"0026-webhooks": addWebhooks,
	"0027-gate": addGate,
	"0028-organization-deletion": addOrganizationDeletion,
	"0029-attachments": addAttachments,
	"0033-virtual-displays": addVirtualDisplays,
	"0034-schedules": addSchedules,
	"0038-webhook-kinds": addWebhookKinds,
	"0040-second-factor": addSecondFactor,
	"0047-storage-days": addStorageDays,
	"0049-agents-results": addAgentsResults,
	"0051-slack-tokens": addSlackTokens,
	"0052-passkeys": addPasskeys,
	"0053-used-codes": addUsedCodes,
	"0054-recording-kinds": addRecordingKinds,
	"0057-failure-list": removeFailureList,
	"0060-file-uploads": addFileUploads,
	"0061-key-capabilities": addKeyCapabilities,
	"0062-flaky-passes": countFlakyPasses,
	"0063-attachment-sizes": addAttachmentSizes,
	"0064-build-ends": addBuildEnds,
};

export const migrationProvider = (dialect: DialectName): MigrationProvider => ({
	getMigrations: async () =>
		Object.fromEntries(
			Object.entries(migrations).map(([name, migrate]) => [
				name,
				{ up: (db: Kysely<unknown>) => migrate(db, dialect) },
			]),
		),
});
