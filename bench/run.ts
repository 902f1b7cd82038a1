/**
 * `npm run bench [-- name …]`: measures what we claim about speed, each figure against a baseline of the same run.
 * With `--quick`, benches take few samples: to try them, not to quote them.
 */
import { type Figure, printFigures } from "./figures.ts";

const benches: Record<string, () => Promise<{ run: () => Promise<Figure[]> }>> = {
	api: () => import("./api.ts"),
	range: () => import("./range.ts"),
	runner: () => import("./runner.ts"),
	latency: () => import("./latency.ts"),
	playable: () => import("./playable.ts"),
	live: () => import("./live.ts"),
	"stop-lag": () => import("./stop-lag.ts"),
	"catch-up": () => import("./catch-up.ts"),
	cost: () => import("./cost.ts"),
	lighthouse: () => import("./lighthouse.ts"),
	list: () => import("./list.ts"),
};

const wanted = process.argv.slice(2).filter((word) => word !== "--quick");
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
	console.error(`There is no bench ${unknown.join(", ")}. Choose from ${Object.keys(benches).join(", ")}.`);
	process.exit(1);
}
const figures: Figure[] = [];
for (const [name, load] of Object.entries(benches)) {
	if (wanted.length > 0 && !wanted.includes(name)) continue;
	console.log(`# ${name}`);
	figures.push(...(await (await load()).run()));
}
printFigures(figures);
process.exit(figures.every((figure) => figure.holds) ? 0 : 1);
