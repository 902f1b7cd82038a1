import { signOutBodySchema } from "@tapedeck/contract/runner-protocol.ts";
import { route } from "#lib/http/route.ts";
import { signOutRunner } from "#lib/runners/runner-session.ts";

export const POST = route(
	{
		operationId: "signOutRunner",
		summary: "Sign a runner out",
		permission: "runner:act",
		audit: { none: "Shown by the runner's state." },
		body: signOutBodySchema,
		answers: { 204: null },
	},
	({ ctx, app, body }) => signOutRunner(ctx, app.presence, body.sessionId),
);
