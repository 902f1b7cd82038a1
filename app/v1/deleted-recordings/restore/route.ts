import { restoreDeletedBodySchema, restoredSchema } from "@tapedeck/contract/deleted-recording.ts";
import { route } from "#lib/http/route.ts";
import { restoreDeleted } from "#lib/recordings/deletion.ts";

export const POST = route(
	{
		operationId: "restoreDeletedRecordings",
		summary:
			"Restore deleted recordings by when and why they were deleted, the last deleted first, up to 200 per call; retention spares them for 7 days",
		permission: "recordings:write",
		audit: ["recording.restored"],
		body: restoreDeletedBodySchema,
		answers: { 200: restoredSchema },
	},
	({ ctx, body, signal }) => restoreDeleted(ctx, body, signal),
);
