import { unpinBodySchema, unpinnedSchema } from "@tapedeck/contract/recording.ts";
import { route } from "#lib/http/route.ts";
import { unpinRecordings } from "#lib/recordings/unpin-recordings.ts";

export const POST = route(
	{
		operationId: "unpinRecordings",
		summary: "Unpin these recordings, or all that are pinned, the oldest first, up to 200 per call",
		permission: "recordings:write",
		audit: ["recording.unpinned"],
		body: unpinBodySchema,
		answers: { 200: unpinnedSchema },
	},
	({ ctx, body, signal }) => unpinRecordings(ctx, body, signal),
);
