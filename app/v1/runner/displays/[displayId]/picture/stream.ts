import { displayInPathSchema, pictureQuerySchema } from "@tapedeck/contract/runner.ts";
import { SESSION_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import * as z from "zod";
import { headerOf, stream } from "#lib/http/stream.ts";
import { storeDisplayPicture } from "#lib/runners/watch-display.ts";

export const PUT = stream(
	{
		operationId: "sendDisplayPicture",
		summary:
			"Send what a display shows now (JPEG, at most 256 KiB, or 8 MiB in another width), when the long poll requests it",
		permission: "runner:act",
		audit: { none: "A picture of a display is not stored." },
		params: z.object({ displayId: displayInPathSchema }),
		query: pictureQuerySchema,
		answers: { 204: null },
	},
	async ({ ctx, app, params, query, req, res, body }) => {
		const sessionId = headerOf(req, SESSION_HEADER);
		await storeDisplayPicture(ctx, app.pictures, { displayId: params.displayId, ...query, sessionId, body });
		res.writeHead(204).end();
	},
);
