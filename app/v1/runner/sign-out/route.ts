import { signOutBodySchema } from "#lib/contract/runner-protocol.ts";
import { signOutRunner } from "#lib/runners/runner-session.ts";
import { route } from "#lib/server/route.ts";

export const POST = route(
	{
		summary: "A runner leaves.",
		actors: ["runner"],
		audit: { none: "Runners come and go; their state tells it." },
		body: signOutBodySchema,
		answers: { 204: null },
	},
	async ({ ctx, app, body }) => {
		await signOutRunner(ctx, app.presence, body.sessionId);
		return { status: 204 };
	},
);
