import * as z from "zod";
import { route } from "#lib/http/route.ts";
import { skillIndex } from "#lib/http/skill.ts";

export const GET = route(
	{
		operationId: "listSkills",
		summary: "List the skills for agents, with their digests",
		permission: "public",
		answers: { 200: z.record(z.string(), z.unknown()) },
	},
	({ app }) => skillIndex(app.rootDir),
);
