/** `npm run up`: installs what is missing, builds, and starts everything from a fresh clone. */
import { ensureBuilt } from "./build.mjs";
import { node24 } from "./node-packages.mjs";
import { prepare } from "./prepare.mjs";
import { CLONE } from "./product.mjs";
import { startAll } from "./start-all.mjs";
import { forUp } from "./system-packages.mjs";

const USAGE = `usage: npm run up

Installs what is missing, builds Tapedeck, and starts a dashboard and a demo runner with a virtual display. Takes no
arguments. Set PORT, HOST, TAPEDECK_DATA_DIR or another variable of docs/operating.md to change where they run.`;

if (process.argv.length > 2) {
	const help = process.argv.includes("--help");
	console[help ? "log" : "error"](USAGE);
	process.exit(help ? 0 : 1);
}
startAll(CLONE, async () => {
	await prepare(forUp);
	await ensureBuilt();
	return node24();
});
