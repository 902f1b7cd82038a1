/**
 * Starts a dashboard, a runner and a demo display, and stops them at Ctrl-C: `npm run up` in a clone, and `npx tapedeck up`
 * without one.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadCredentials } from "./credentials.mjs";
import { dashboardReady, nextJobId, runnerOnline, startDashboard } from "./dashboard.mjs";
import { lockDataDir } from "./data-dir-lock.mjs";
import { openDisplay, reopenDisplay, startPicture } from "./demo-display.mjs";
import { startRunner } from "./demo-runner.mjs";
import { greeting } from "./greeting.mjs";
import { fail, Remedy } from "./remedy.mjs";
import { say, signalRunning } from "./run.mjs";
import { readSettings } from "./settings.mjs";
import { onStopSignal } from "./stop-signal.mjs";
import { keepAlive } from "./watch.mjs";

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

async function start(product, prepare) {
	const settings = await readSettings(product);
	unlock = lockDataDir(settings.dataDir, product.command);
	const node = await prepare();
	if (stopping) return;
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

/**
 * @param product {import("./product.mjs").Product}
 * @param prepare installs or checks what is needed. @returns the path of a Node 24.
 */
export function startAll(product, prepare) {
	process.stdout.on("error", () => {}); // The terminal may be gone; keep running.
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

	Promise.race([start(product, prepare), stopSignal])
		.catch((error) => {
			if (!stopping) fail(error);
		})
		.finally(stopAll)
		.then(() => process.exit());
}
