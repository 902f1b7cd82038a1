import { downloadRecordingsQuerySchema } from "@tapedeck/contract/recording.ts";
import { stream } from "#lib/http/stream.ts";
import { filesElsewhere } from "#lib/nodes/files-elsewhere.ts";
import { serveZip } from "#lib/recordings/playback/serve-zip.ts";

export const GET = stream(
	{
		operationId: "downloadRecordings",
		summary: "Download several recordings as one zip; a text file in it lists those that could not be included",
		permission: "recordings:read",
		download: true,
		query: downloadRecordingsQuerySchema,
		answers: { 200: ["application/zip"] },
	},
	({ ctx, app, query, req, res }) =>
		serveZip(ctx, { ids: query.id, elsewhere: filesElsewhere(app, ctx, req), req, res }),
);
