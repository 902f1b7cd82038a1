import { retentionSchema } from "@tapedeck/contract/retention.ts";
import { route } from "#lib/http/route.ts";
import { confirmClock } from "#lib/recordings/space/clock-watch.ts";
import { getRetention } from "#lib/recordings/space/retention.ts";

export const POST = route(
	{
		operationId: "confirmClock",
		summary: "Confirm the clock after it has jumped ahead, so that recordings are deleted by age again",
		permission: "organization:manage",
		audit: ["retention.clock_confirmed"],
		answers: { 200: retentionSchema },
	},
	async ({ ctx }) => {
		await confirmClock(ctx);
		return getRetention(ctx);
	},
);
