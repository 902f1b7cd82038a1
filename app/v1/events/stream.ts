import { stream } from "#lib/server/stream.ts";

export const GET = stream(
	{
		summary: "Follow changes in your organization as server-sent events",
		permission: "jobs:read",
		streaming: true,
		answers: { 200: null },
	},
	(call) => call.app.liveEvents.serve(call),
);
