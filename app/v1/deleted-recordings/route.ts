import { deletedRecordingPageSchema, listDeletedQuerySchema } from "@tapedeck/contract/deleted-recording.ts";
import { route } from "#lib/http/route.ts";
import { listDeleted } from "#lib/recordings/deletion.ts";

export const GET = route(
	{
		operationId: "listDeletedRecordings",
		summary:
			"List deleted recordings, the last deleted first; restorable=1 for those that can be restored, build for those of a build",
		permission: "recordings:read",
		query: listDeletedQuerySchema,
		answers: { 200: deletedRecordingPageSchema },
	},
	({ ctx, query }) => listDeleted(ctx, query),
);
