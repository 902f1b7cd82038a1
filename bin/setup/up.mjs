/** `npm run up`: starts a dashboard, a runner and a demo display from a fresh clone. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { loadCredentials } from "./credentials.mjs";
import { dashboardReady, nextJobId, runnerOnline, startDashboard } from "./dashboard.mjs";
import { lockDataDir } from "./data-dir-lock.mjs";
import { openDisplay, reopenDisplay, startPicture } from "./demo-display.mjs";
import { startRunner } from "./demo-runner.mjs";
import { greeting } from "./greeting.mjs";
import { node24 } from "./node-packages.mjs";
import { prepare } from "./prepare.mjs";
import { fail, Remedy } from "./remedy.mjs";
import { say, signalRunning } from "./run.mjs";
import { readSettings } from "./settings.mjs";
import { onStopSignal } from "./stop-signal.mjs";
import { forUp } from "./system-packages.mjs";
import { keepAlive } from "./watch.mjs";

const USAGE = `usage: npm run up

Installs what is missing, builds Tapedeck, and starts a dashboard and a demo runner with a virtual display. Takes no
arguments. Set PORT, HOST, TAPEDECK_DATA_DIR or another variable of docs/operating.md to change where they run.`;

// A little longer than each program needs by its own documentation.
const RUNNER_GRACE_MS = 12_000;
const DASHBOARD_GRACE_MS = 15_000;

/** The services that run, in the order in which they are stopped: recordings end and are uploaded first. */
const running = { runner: null, dashboard: null, picture: null, display: null };
let stopping = false;
let unlock = () => {};

async function stopAll() {
	stopping = true;
	await running.runner?.current.stop(RUNNER_GRACE_MS);
	await running.dashboard?.current.stop(DASHBOARD_GRACE_MS);
	await running.picture?.current.stop(1_000);
	await running.display?.current.stop(2_000);
	unlock();
}

/** Kills everything. Data that was not uploaded is in the runner's spool. */
function killAll() {
	for (const kept of Object.values(running)) kept?.current.stop(0);
	unlock();
}

let gaveUp;
const restartsFailed = new Promise((_resolve, reject) => {
	gaveUp = (sentence) => reject(new Remedy(sentence));
});
restartsFailed.catch(() => {});

/** During the start, the code that waits for a service reports its end. Afterwards the service is restarted. */
const started = (service) => ({ current: service });
const kept = (service, start) => keepAlive(service, start, { say, stopping: () => stopping, gaveUp });

async function up() {
	const settings = await readSettings();
	unlock = lockDataDir(settings.dataDir);
	await prepare(forUp);
	await ensureBuilt();
	if (stopping) return;
	const node = await node24();
	mkdirSync(join(settings.dataDir, "logs"), { recursive: true, mode: 0o700 });
	const { values: credentials, file, ignored } = loadCredentials(settings.dataDir);
	for (const name of ignored) {
		say(`${name} is ignored: this data directory was set up with the value in ${file}.`);
	}

	const display = openDisplay();
	running.display = started(display.service);
	const displayId = await display.opened;
	if (stopping) return;
	running.picture = started(startPicture(displayId));
	running.dashboard = started(startDashboard(node, settings, credentials));
	await dashboardReady(running.dashboard.current, settings);
	if (stopping) return;
	running.runner = started(startRunner(node, settings, credentials, displayId));
	const runnerId = await runnerOnline(running.runner.current, settings, credentials.apiKey, displayId);
	if (stopping) return;

	running.display = kept(display.service, () => reopenDisplay(displayId));
	// Without fonts, the gradient alone works.
	running.picture = kept(running.picture.current, (deaths) => startPicture(displayId, { withText: deaths < 2 }));
	running.dashboard = kept(running.dashboard.current, () => startDashboard(node, settings, credentials));
	running.runner = kept(running.runner.current, () => startRunner(node, settings, credentials, displayId));
	const jobId = await nextJobId(settings, credentials.apiKey);
	say(greeting({ settings, credentials, file, runnerId, displayId, jobId }));
	await restartsFailed;
}

process.stdout.on("error", () => {}); // The terminal may be gone; keep running.
if (process.argv.length > 2) {
	const help = process.argv.includes("--help");
	console[help ? "log" : "error"](USAGE);
	process.exit(help ? 0 : 1);
}
const stopSignal = onStopSignal({
	first: () => {
		say("Stopping. Ending and uploading recordings …");
		stopping = true;
		signalRunning("SIGTERM");
	},
	second: () => {
		killAll();
		process.exit(1);
	},
});

Promise.race([up(), stopSignal])
	.catch((error) => {
		if (!stopping) fail(error);
	})
	.finally(stopAll)
	.then(() => process.exit());
