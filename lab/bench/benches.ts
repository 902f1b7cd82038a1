/** Every bench, by the name that `npm run bench -- <name>` takes. A bench is loaded only when it is run. */
import type { Bench } from "./figures.ts";

export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
	playable: () => import("./playable.ts"),
	live: () => import("./live.ts"),
	latency: () => import("./latency.ts"),
	"stop-lag": () => import("./stop-lag.ts"),
	"many-jobs": () => import("./many-jobs.ts"),
	"many-results": () => import("./many-results.ts"),
	range: () => import("./range.ts"),
	"catch-up": () => import("./catch-up.ts"),
	list: () => import("./list.ts"),
	fleet: () => import("./fleet.ts"),
	"many-ends": () => import("./many-ends.ts"),
	"fleet-nodes": () => import("./fleet-nodes.ts"),
	cost: () => import("./cost.ts"),
	attachments: () => import("./attachments.ts"),
	reporter: () => import("./reporter.ts"),
	webhooks: () => import("./webhooks.ts"),
	agents: () => import("./agents.ts"),
	"worker-displays": () => import("./worker-displays.ts"),
	"worker-films": () => import("./worker-films.ts"),
};
