/** A job's privacy: what was asked for, what its runner has confirmed, and where its video is black because of it. */
import type { PrivateStretch, WantedPrivacy } from "@tapedeck/contract/privacy.ts";
import type { JobReportOf } from "@tapedeck/contract/runner-protocol.ts";
import type { Context } from "#lib/core/context.ts";
import { type JobRow, lockJob } from "./job-store.ts";

export interface PrivacyState extends WantedPrivacy {
	/** The change that the runner confirmed last, and since when it is effective; null before the first one. */
	confirmed: (WantedPrivacy & { at: number }) | null;
	stretches: PrivateStretch[];
}

const NO_PRIVACY: PrivacyState = { version: 0, on: false, confirmed: null, stretches: [] };

/** The state of a job. */
export const readPrivacy = ({ privacy }: { privacy: string | null }): PrivacyState =>
	privacy === null ? NO_PRIVACY : (JSON.parse(privacy) as PrivacyState);

/** Stores the state of a job, whose row is locked. @returns its row afterwards. */
export const writePrivacy = ({ db }: Pick<Context, "db">, jobId: number, state: PrivacyState): Promise<JobRow> =>
	db
		.updateTable("job")
		.set({ privacy: JSON.stringify(state) })
		.where("id", "=", jobId)
		.returningAll()
		.executeTakeFirstOrThrow();

/** Whether the runner has confirmed the last change. */
export const isConfirmed = ({ version, on, confirmed }: PrivacyState): boolean =>
	confirmed !== null && confirmed.version === version && confirmed.on === on;

/**
 * Stores what a runner confirmed.
 * @param ctx its database must be a transaction.
 * @param at since when it is effective, in milliseconds.
 * @returns the job's row afterwards.
 */
export async function storePrivacy(
	ctx: Context,
	{ id }: JobRow,
	{ version, on, stretches }: JobReportOf<"privacy">,
	at: number,
): Promise<JobRow> {
	await lockJob(ctx, id);
	const { privacy } = await ctx.db.selectFrom("job").select("privacy").where("id", "=", id).executeTakeFirstOrThrow();
	const state = readPrivacy({ privacy });
	return writePrivacy(ctx, id, { ...wantedAfter(state, { version, on }), confirmed: { version, on, at }, stretches });
}

/** The wanted state after the runner's report. Commands on its machine change the state as well, and continue its numbers. */
function wantedAfter(state: PrivacyState, reported: WantedPrivacy): WantedPrivacy {
	if (reported.version > state.version) return reported;
	const { version, on } = state;
	// Both were changed at the same time: the runner gets the dashboard's change as the later one.
	return { version: reported.version === version && reported.on !== on ? version + 1 : version, on };
}
