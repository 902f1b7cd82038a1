import { signInAnswerSchema, signInBodySchema } from "@tapedeck/contract/runner-protocol.ts";
import { route } from "#lib/http/route.ts";
import { signInRunner } from "#lib/runners/runner-session.ts";

export const POST = route(
	{
		operationId: "signInRunner",
		summary: "Sign a runner in",
		permission: "runner:act",
		audit: { none: "Shown by the runner's state." },
		body: signInBodySchema,
		answers: { 200: signInAnswerSchema },
	},
	({ ctx, app, body }) => signInRunner(ctx, app.presence, body),
);
