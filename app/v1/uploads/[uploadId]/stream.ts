import * as z from "zod";
import { STORAGE_REFUSALS } from "#lib/server/route-definition.ts";
import { type StreamCall, stream } from "#lib/server/stream.ts";

const params = z.object({ uploadId: z.string().regex(/^[a-z0-9-]{1,64}$/) });
const upload = { permission: "recordings:upload", plainRefusals: true, params } as const;

const receive = ({ ctx, app, req, res }: Pick<StreamCall, "ctx" | "app" | "req" | "res">) =>
	app.uploads.receive(ctx, req, res);

export const OPTIONS = stream(
	{ ...upload, summary: "List the supported tus 1.0 features", answers: { 204: null } },
	receive,
);

export const HEAD = stream(
	{ ...upload, summary: "Get the offset of an upload (tus 1.0)", answers: { 200: null } },
	receive,
);

export const PATCH = stream(
	{
		...upload,
		summary: "Append to an upload (tus 1.0)",
		audit: ["recording.uploaded"],
		fileBody: true,
		refusals: STORAGE_REFUSALS,
		answers: { 204: null },
	},
	receive,
);

export const DELETE = stream(
	{
		...upload,
		summary: "Cancel an upload and delete what was sent (tus 1.0: termination)",
		audit: { none: "An unfinished upload is not a recording yet." },
		answers: { 204: null },
	},
	receive,
);
