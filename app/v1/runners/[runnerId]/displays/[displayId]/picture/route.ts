import { pictureHeaders } from "@tapedeck/contract/headers.ts";
import { displayInPathSchema, RECTANGLE_HEADER, watchDisplayQuerySchema } from "@tapedeck/contract/runner.ts";
import * as z from "zod";
import { pathId, route } from "#lib/http/route.ts";
import { changedPart, type Rectangle } from "#lib/recordings/pictures/changed-part.ts";
import { watchDisplay } from "#lib/runners/watch-display.ts";

export const GET = route(
	{
		operationId: "getDisplayPicture",
		summary:
			"Get what a display shows now, as JPEG 480 or width pixels wide, or what of it has changed since another one; the Age header is its age in seconds",
		permission: "runners:read",
		rateLimit: false,
		params: z.object({ runnerId: pathId, displayId: displayInPathSchema }),
		query: watchDisplayQuerySchema,
		answerHeaders: pictureHeaders,
		answers: { 200: ["image/jpeg"], 304: null },
	},
	async ({ ctx, app, params: { runnerId, displayId }, query: { width, since }, signal }) => {
		const { jpeg, ageMs, etag } = await watchDisplay(ctx, app.pictures, { runnerId, displayId, width }, signal);
		const before = since === undefined ? null : app.pictures.earlier(runnerId, { displayId, width }, since);
		const changed = before === null ? "whole" : await changedPart(ctx, { before, after: jpeg }, signal);
		const headers = {
			"cache-control": "no-store",
			etag: `"${etag}"`,
			age: String(Math.round(ageMs / 1_000)),
			"content-security-policy": "default-src 'none'; sandbox",
			"cross-origin-resource-policy": "same-origin",
		};
		if (since === etag || changed === "same") return new Response(null, { status: 304, headers });
		const shown = changed === "whole" ? jpeg : changed.jpeg;
		const answer = new Response(new Uint8Array(shown), { headers });
		answer.headers.set("content-type", "image/jpeg");
		answer.headers.set("content-length", String(shown.length));
		if (changed !== "whole") answer.headers.set(RECTANGLE_HEADER, rectangleHeader(changed.rectangle));
		return answer;
	},
);

const rectangleHeader = ({ x, y, width, height }: Rectangle): string => [x, y, width, height].join(",");
