/** A display's live picture: requested by viewers, sent by its runner. */
import { type Display, MAX_PICTURE_BYTES, MAX_WIDE_PICTURE_BYTES, PICTURE_WIDTH } from "@tapedeck/contract/runner.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import { type RequestBody, readJpeg } from "#lib/core/read-jpeg.ts";
import { readPrivacy } from "#lib/lifecycle/privacy.ts";
import type { DisplayPicture, DisplayPictures } from "./display-pictures.ts";
import { readRunnerRow } from "./list-runners.ts";
import { runnerOfSession } from "./runner-session.ts";
import { isOnline } from "./runner-view.ts";

const WAIT_MS = 3_000;

/**
 * `GET /v1/runners/{id}/displays/{displayId}/picture`: the current picture of the display. Reuses a recent picture,
 * otherwise requests one from the runner. Returns the last one of the past minute if none arrives within 3 s.
 *
 * @param signal aborts when the caller disconnects or the server stops.
 * @throws not_found if the caller's organization has no such runner, or the runner no such display; picture_unavailable
 *   if the runner is offline or sent nothing, and while the display is private; too_many_requests if others wait for
 *   many other widths.
 */
export async function watchDisplay(
	ctx: Context,
	pictures: DisplayPictures,
	{ runnerId, displayId, width }: { runnerId: number; displayId: string; width: number },
	signal: AbortSignal,
): Promise<DisplayPicture> {
	const runner = await readRunnerRow(ctx, runnerId);
	if (!isOnline(runner, ctx.clock.now())) {
		throw new TapedeckError(
			"picture_unavailable",
			`${runner.name} is offline, so its displays cannot be shown. Start it on its machine.`,
		);
	}
	const displays = JSON.parse(runner.displays) as Display[];
	if (!displays.some(({ id }) => id === displayId)) throw notFound("display");
	if (await isPrivate(ctx, runnerId, displayId)) {
		throw new TapedeckError("picture_unavailable", `${displayId} is private at the moment: a job records it black.`);
	}
	const { organizationId } = ctx.actor;
	const wake = () => ctx.events.publish({ type: "picture_wanted", organizationId, runnerId, displayId, width });
	const picture = await pictures.watch(runnerId, { displayId, width }, { waitMs: WAIT_MS, wake, signal });
	if (picture !== null) return picture;
	throw new TapedeckError(
		"picture_unavailable",
		`${runner.name} sent no picture of ${displayId} within ${WAIT_MS / 1_000} s. Try again; a runner older than this dashboard cannot send any.`,
	);
}

/** Whether a job on this display is private by request. The runner then sends no picture of it either. */
async function isPrivate(ctx: Context, runnerId: number, displayId: string): Promise<boolean> {
	const jobs = await ctx.db
		.selectFrom("job")
		.select("privacy")
		.where("runnerId", "=", runnerId)
		.where("displayId", "=", displayId)
		.where("status", "in", ["starting", "recording"])
		.where("privacy", "is not", null)
		.execute();
	return jobs.some((job) => readPrivacy(job).on);
}

/**
 * `PUT /v1/runner/displays/{displayId}/picture`: keeps the picture for viewers.
 *
 * @throws session_superseded; not_found if the runner has not reported this display; the errors of readJpeg.
 */
export async function storeDisplayPicture(
	ctx: Context,
	pictures: DisplayPictures,
	call: { displayId: string; width: number; ageMs: number; sessionId: string | null; body: RequestBody },
): Promise<void> {
	const runner = await runnerOfSession(ctx, call.sessionId ?? "");
	const displays = JSON.parse(runner.displays) as Display[];
	if (!displays.some(({ id }) => id === call.displayId)) throw notFound("display");
	const { displayId, width, ageMs } = call;
	const jpeg = await readJpeg(call.body, width === PICTURE_WIDTH ? MAX_PICTURE_BYTES : MAX_WIDE_PICTURE_BYTES);
	await pictures.keep(runner, { displayId, width }, { jpeg, ageMs });
}
