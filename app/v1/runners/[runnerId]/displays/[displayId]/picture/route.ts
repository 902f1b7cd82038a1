import { displayInPathSchema } from "@tapedeck/contract/runner.ts";
import * as z from "zod";
import { pathId, route } from "#lib/http/route.ts";
import { watchDisplay } from "#lib/runners/watch-display.ts";

export const GET = route(
	{
		operationId: "getDisplayPicture",
		summary: "Get what a display shows now, as JPEG about 480 pixels wide; the Age header is its age in seconds",
		permission: "runners:read",
		rateLimit: false,
		params: z.object({ runnerId: pathId, displayId: displayInPathSchema }),
		answers: { 200: ["image/jpeg"] },
	},
	async ({ ctx, app, params, signal }) => {
		const { jpeg, ageMs } = await watchDisplay(ctx, app.pictures, params, signal);
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
