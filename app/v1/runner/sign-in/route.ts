import { signInAnswerSchema, signInBodySchema } from "#lib/contract/runner-protocol.ts";
import { signInRunner } from "#lib/runners/runner-session.ts";
import { route } from "#lib/server/route.ts";

export const POST = route(
	{
		summary: "A runner signs in.",
		actors: ["runner"],
		audit: { none: "Runners come and go; their state tells it." },
		body: signInBodySchema,
		answers: { 200: signInAnswerSchema },
	},
	async ({ ctx, app, body }) => ({ status: 200, body: await signInRunner(ctx, app.presence, body) }),
);
