import * as z from "zod";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "Whether Tapedeck is up: 200 when it is ready, 503 while it starts or stops.",
		open: true,
		uncounted: true,
		answers: { 200: z.object({ status: z.literal("ok") }) },
	},
	async ({ app }) => {
		await app.db.selectFrom("organization").select("id").limit(1).execute();
		return { status: 200, body: { status: "ok" } };
	},
);
