/** Looking at a display: the picture asked for by those who look, and brought by its runner. */
import type { IncomingMessage } from "node:http";
import type { Display } from "../contract/runner.ts";
import type { Context } from "../core/context.ts";
import { notFound, TapedeckError } from "../core/errors.ts";
import { readJpeg } from "../core/read-jpeg.ts";
import { type DisplayPicture, type DisplayPictures, MAX_PICTURE_BYTES } from "./display-pictures.ts";
import { readRunner } from "./list-runners.ts";
import { runnerOfSession } from "./runner-session.ts";

const WAIT_MS = 3_000;

/**
 * `GET /v1/runners/{id}/displays/{displayId}/picture`: what the display shows now, asked of its runner unless a
 * picture of the last moments is there; the last one of the past minute when none comes within 3 s.
 *
 * @param signal the caller went away, or the server stops.
 * @throws not_found for a runner that the caller's organization does not have, and a display that the runner does
 *   not have; picture_unavailable when the runner is offline or sent nothing.
 */
export async function lookAtDisplay(
	ctx: Context,
	pictures: DisplayPictures,
	{ runnerId, displayId }: { runnerId: number; displayId: string },
	signal: AbortSignal,
): Promise<DisplayPicture> {
	const runner = await readRunner(ctx, runnerId);
	if (runner.state === "offline") {
		throw new TapedeckError(
			"picture_unavailable",
			`${runner.name} is offline, so that its displays cannot be seen. Start it again on its machine.`,
		);
	}
	if (!runner.displays.some(({ id }) => id === displayId)) throw notFound("display");
	const { organizationId } = ctx.actor;
	const wake = () => ctx.facts.publish({ type: "picture_wanted", organizationId, runnerId });
	const picture = await pictures.look(runnerId, displayId, { waitMs: WAIT_MS, wake, signal });
	if (picture !== null) return picture;
	throw new TapedeckError(
		"picture_unavailable",
		`${runner.name} sent no picture of ${displayId} within ${WAIT_MS / 1_000} s. Try again; a runner older than this dashboard cannot send any.`,
	);
}

/**
 * `PUT /v1/runner/displays/{displayId}/picture`: keeps it for those who look.
 *
 * @throws session_superseded; not_found for a display that the runner has not told of; what readJpeg throws.
 */
export async function keepDisplayPicture(
	ctx: Context,
	pictures: DisplayPictures,
	call: { displayId: string; ageMs: number; sessionId: string | null; req: IncomingMessage },
): Promise<void> {
	const runner = await runnerOfSession(ctx, call.sessionId ?? "");
	const displays = JSON.parse(runner.displays) as Display[];
	if (!displays.some(({ id }) => id === call.displayId)) throw notFound("display");
	const jpeg = await readJpeg(call.req, MAX_PICTURE_BYTES);
	pictures.keep(runner.id, call.displayId, { jpeg, ageMs: call.ageMs });
}
