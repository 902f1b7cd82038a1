/** The routes of /v1 whose bodies are big or endless. */
import type { AppContext } from "./app-context.ts";
import { sharedRoutes } from "./link-routes.ts";
import { LiveEvents } from "./live-events.ts";
import { mediaRoutes } from "./media-routes.ts";
import { pictureRoute } from "./picture-route.ts";
import type { StreamRoute } from "./stream-route.ts";

/** @returns the stream routes of one process; they keep what is one per process. */
export function streamRoutes(app: AppContext): StreamRoute[] {
	const live = new LiveEvents(app);
	return [
		{
			method: "GET",
			path: "/v1/events",
			definition: {
				summary: "Follow what happens in your organization, as server-sent events.",
				scope: "jobs:read",
				endless: true,
				answers: { 200: null },
			},
			handler: (call) => live.serve(call),
		},
		...mediaRoutes(app),
		...sharedRoutes,
		pictureRoute,
	];
}
