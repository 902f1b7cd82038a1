/** Fields that only the response for a single recording has. */
import type { PrivateStretch } from "@tapedeck/contract/privacy.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Context } from "#lib/core/context.ts";
import { readPrivacy } from "#lib/lifecycle/privacy.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { sessionsOf } from "./sessions.ts";

export async function detailsOf(ctx: Context, row: RecordingRow): Promise<Pick<Recording, "sessions" | "privacy">> {
	return { sessions: await sessionsOf(ctx, row), privacy: await privacyOf(ctx, row) };
}

/** The private stretches of a recording, by time; empty for an uploaded video. */
export async function privacyOf(
	ctx: Pick<Context, "db">,
	{ jobId }: Pick<RecordingRow, "jobId">,
): Promise<PrivateStretch[]> {
	if (jobId === null) return [];
	const job = await ctx.db.selectFrom("job").select("privacy").where("id", "=", jobId).executeTakeFirst();
	return readPrivacy(job ?? { privacy: null }).stretches;
}
