import * as z from "zod";
import { sessionSchema } from "#lib/contract/session.ts";
import { route } from "#lib/http/route.ts";
import { readSession } from "#lib/recordings/sessions.ts";

export const GET = route(
	{
		operationId: "getGridSession",
		summary: "Find the recording of a grid's session: 202 while it is recorded",
		permission: "recordings:read",
		// biome-ignore lint/suspicious/noControlCharactersInRegex: no database stores them
		params: z.object({ sessionId: z.string().regex(/^[^\u0000\ud800-\udfff]{1,200}$/u) }),
		answers: { 200: sessionSchema, 202: sessionSchema },
	},
	async ({ ctx, params }) => {
		const session = await readSession(ctx, params.sessionId);
		return { status: session.state === "recording" ? 202 : 200, body: session };
	},
);
