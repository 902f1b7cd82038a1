import * as z from "zod";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "getHealth",
		summary: "Check health: 200 when ready, 503 while starting or stopping",
		permission: "public",
		rateLimit: false,
		answers: { 200: z.object({ status: z.literal("ok") }) },
	},
	async ({ app }) => {
		await app.db.selectFrom("organization").select("id").limit(1).execute();
		return { status: "ok" as const };
	},
);
