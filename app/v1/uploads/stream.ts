import { STORAGE_REFUSALS } from "#lib/server/route-definition.ts";
import { stream } from "#lib/server/stream.ts";

export const OPTIONS = stream(
	{
		summary: "List the supported tus 1.0 features",
		permission: "recordings:upload",
		plainRefusals: true,
		answers: { 204: null },
	},
	({ ctx, app, req, res }) => app.uploads.receive(ctx, req, res),
);

export const POST = stream(
	{
		summary: "Create an upload (tus 1.0: creation, creation-with-upload, creation-defer-length)",
		permission: "recordings:upload",
		audit: ["recording.uploaded"],
		fileBody: true,
		plainRefusals: true,
		refusals: STORAGE_REFUSALS,
		answers: { 201: null },
	},
	({ ctx, app, req, res }) => app.uploads.receive(ctx, req, res),
);
