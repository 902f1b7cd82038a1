/** `/v1/recording-settings`: what applies to an organization's jobs that say nothing else. */
import type { RecordingSettings, RecordingSettingsBody } from "@tapedeck/contract/recording-settings.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { recordingSettings } from "#lib/lifecycle/labels.ts";

export const getRecordingSettings = (ctx: Context): Promise<RecordingSettings> =>
	recordingSettings(ctx, ctx.actor.organizationId);

/** Sets what jobs have from now on; those that exist keep what they have. */
export function setRecordingSettings(ctx: Context, settings: RecordingSettingsBody): Promise<RecordingSettings> {
	const { organizationId } = ctx.actor;
	const { video, ...rest } = settings;
	const row = { ...rest, ...(video === undefined ? {} : { video: JSON.stringify(video) }) };
	return inTransaction(ctx, async (ctx) => {
		await ctx.db
			.insertInto("recordingSettings")
			.values({ organizationId, ...row })
			.onConflict((conflict) => conflict.column("organizationId").doUpdateSet(row))
			.execute();
		await audit(ctx, { action: "recording_settings.changed", detail: settings });
		return recordingSettings(ctx, organizationId);
	});
}
