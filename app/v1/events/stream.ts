import { stream } from "#lib/http/stream.ts";

export const GET = stream(
	{
		operationId: "followEvents",
		summary: "Follow changes in your organization as server-sent events",
		permission: "jobs:read",
		streaming: true,
		answers: { 200: ["text/event-stream"] },
	},
	(call) => call.app.liveEvents.serve(call),
);
