/** The route on which a runner brings what one of its displays shows now. */
import * as z from "zod";
import { displayInPathSchema, pictureQuerySchema } from "../contract/runner.ts";
import { keepDisplayPicture } from "../runners/watch-display.ts";
import { sessionOf } from "./media-routes.ts";
import type { StreamRoute } from "./stream-route.ts";

export const pictureRoute: StreamRoute = {
	method: "PUT",
	path: "/v1/runner/displays/:displayId/picture",
	definition: {
		summary: "A runner shows what a display shows now (JPEG, at most 256 KiB), because somebody looks.",
		actors: ["runner"],
		audit: { none: "A look at a display changes nothing that is kept." },
		params: z.object({ displayId: displayInPathSchema }),
		query: pictureQuerySchema,
		answers: { 204: null },
	},
	handler: async ({ ctx, app, params, query, req, res }) => {
		const picture = { displayId: params.displayId, ageMs: query.ageMs, sessionId: sessionOf(req.headers), req };
		await keepDisplayPicture(ctx, app.pictures, picture);
		res.writeHead(204).end();
	},
};
