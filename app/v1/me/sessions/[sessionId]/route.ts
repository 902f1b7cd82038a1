import * as z from "zod";
import { endSession } from "#lib/auth/sessions.ts";
import { pathId, route } from "#lib/server/route.ts";

export const DELETE = route(
	{
		summary: "Sign the caller out of one browser",
		actors: ["user"],
		audit: ["session.revoked"],
		params: z.object({ sessionId: pathId }),
		answers: { 204: null },
	},
	async ({ ctx, params }) => {
		await endSession(ctx, params.sessionId);
		return { status: 204 };
	},
);
