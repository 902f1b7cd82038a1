import { route } from "#lib/http/route.ts";
import { readSkill } from "#lib/http/skill.ts";

export const GET = route(
	{
		operationId: "getSkill",
		summary: "Get the skill that tells agents how to use Tapedeck",
		permission: "public",
		answers: { 200: ["text/markdown"] },
	},
	async ({ app }) =>
		new Response(new Uint8Array(await readSkill(app.rootDir)), {
			headers: { "content-type": "text/markdown; charset=utf-8", "cache-control": "no-cache" },
		}),
);
