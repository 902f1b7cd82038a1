import { displayInPathSchema, watchDisplayQuerySchema } from "@tapedeck/contract/runner.ts";
import * as z from "zod";
import { pathId, route } from "#lib/http/route.ts";
import { watchDisplay } from "#lib/runners/watch-display.ts";

export const GET = route(
	{
		operationId: "getDisplayPicture",
		summary: "Get what a display shows now, as JPEG 480 or width pixels wide; the Age header is its age in seconds",
		permission: "runners:read",
		rateLimit: false,
		params: z.object({ runnerId: pathId, displayId: displayInPathSchema }),
		query: watchDisplayQuerySchema,
		answers: { 200: ["image/jpeg"] },
	},
	async ({ ctx, app, params, query, signal }) => {
		const { jpeg, ageMs } = await watchDisplay(ctx, app.pictures, { ...params, ...query }, signal);
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
