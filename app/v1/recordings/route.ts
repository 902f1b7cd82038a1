import { listRecordingsQuerySchema, recordingPageSchema } from "@tapedeck/contract/recording.ts";
import { route } from "#lib/http/route.ts";
import { listRecordings } from "#lib/recordings/list-recordings.ts";

export const GET = route(
	{
		operationId: "listRecordings",
		summary: "List recordings, newest first by default",
		permission: "recordings:read",
		query: listRecordingsQuerySchema,
		answers: { 200: recordingPageSchema },
	},
	({ ctx, query }) => listRecordings(ctx, query),
);
