import * as z from "zod";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "getLiveness",
		summary: "Check that the process answers, whatever its database does",
		permission: "public",
		rateLimit: false,
		answers: { 200: z.object({ status: z.literal("ok") }) },
	},
	async () => ({ status: "ok" as const }),
);
