import { plainText } from "@tapedeck/contract/primitives.ts";
import { changeSessionBodySchema, sessionSchema } from "@tapedeck/contract/session.ts";
import * as z from "zod";
import { Answer, route } from "#lib/http/route.ts";
import { changeSession } from "#lib/recordings/change-session.ts";
import { readSession } from "#lib/recordings/sessions.ts";

const params = z.object({ sessionId: plainText("sessionId").min(1).max(200) });

export const GET = route(
	{
		operationId: "getGridSession",
		summary: "Find the recording of a grid's session: 202 while it is recorded",
		permission: "recordings:read",
		params,
		answers: { 200: sessionSchema, 202: sessionSchema },
	},
	async ({ ctx, params }) => {
		const session = await readSession(ctx, params.sessionId);
		return new Answer(session.state === "recording" ? 202 : 200, session);
	},
);

export const PATCH = route(
	{
		operationId: "updateGridSession",
		summary: "Say what became of a grid's session, while it runs or afterwards",
		permission: "jobs:write",
		audit: ["job.changed"],
		params,
		body: changeSessionBodySchema,
		answers: { 200: sessionSchema },
	},
	({ ctx, params, body }) => changeSession(ctx, params.sessionId, body),
);
