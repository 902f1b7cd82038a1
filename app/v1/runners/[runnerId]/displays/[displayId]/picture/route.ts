import * as z from "zod";
import { displayInPathSchema } from "#lib/contract/runner.ts";
import { lookAtDisplay } from "#lib/runners/watch-display.ts";
import { pathId, route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "See what a display shows now, as JPEG about 480 pixels wide; the header Age is its age in seconds.",
		scope: "runners:read",
		uncounted: true,
		params: z.object({ runnerId: pathId, displayId: displayInPathSchema }),
		answers: { 200: null },
	},
	async ({ ctx, app, params, signal }) => {
		const { jpeg, ageMs } = await lookAtDisplay(ctx, app.pictures, params, signal);
		return new Response(new Uint8Array(jpeg), {
			headers: {
				"content-type": "image/jpeg",
				"content-length": String(jpeg.length),
				"cache-control": "no-store",
				age: String(Math.round(ageMs / 1_000)),
				"content-security-policy": "default-src 'none'; sandbox",
				"cross-origin-resource-policy": "same-origin",
			},
		});
	},
);
