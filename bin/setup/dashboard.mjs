/** The dashboard's process, and the calls that `npm run up` makes to it. */
import { join } from "node:path";
import { bootstrapEnv } from "./credentials.mjs";
import { getJson, until } from "./http-json.mjs";
import { CLONE } from "./product.mjs";
import { Remedy } from "./remedy.mjs";
import { withPackages } from "./run.mjs";
import { startService } from "./service.mjs";

/** Starts it without waiting until it is ready. `settings.variables` are added to its environment. */
export function startDashboard(node, settings, credentials) {
	const env = withPackages({
		...bootstrapEnv(credentials),
		NODE_ENV: "production",
		NEXT_TELEMETRY_DISABLED: "1",
		HOST: settings.host,
		PORT: String(settings.port),
		TAPEDECK_DATA_DIR: settings.dataDir,
		...settings.variables,
	});
	const logFile = join(settings.dataDir, "logs", "dashboard.log");
	const { folder, dashboard } = settings.product ?? CLONE;
	return startService("the dashboard", node, dashboard, { cwd: folder, env, logFile });
}

/** @throws Remedy when it ends or takes longer than a minute. */
export async function dashboardReady(service, { localUrl }) {
	const ask = async () => ((await getJson(`${localUrl}/v1/health`)).status === 200 ? true : null);
	if ((await until(ask, { timeoutMs: 60_000, ended: service.exited })) !== null) return;
	const how = service.ended ? await service.exited : "was not ready within 60 s";
	throw new Remedy(`The dashboard ${how}. Fix what its log reports, then start again:\n${service.lastLines()}`);
}

/**
 * Waits for the demo runner to report its display.
 * @returns its id.
 * @throws Remedy
 */
export async function runnerOnline(service, { localUrl, runnerName, dataDir }, apiKey, displayId) {
	let refused = false;
	const ask = async () => {
		const { status, body } = await getJson(`${localUrl}/v1/runners?limit=100`, { token: apiKey });
		if (status === 401) {
			refused = true;
			return false;
		}
		const runner = body.data.find(({ name, state }) => name === runnerName && state === "online");
		return runner?.displays.some(({ id }) => id === displayId) ? runner.id : null;
	};
	const id = await until(ask, { timeoutMs: 30_000, ended: service.exited });
	if (refused) throw new Remedy(foreignDatabase(dataDir));
	if (id !== null) return id;
	const how = service.ended ? await service.exited : "did not report its display within 30 s";
	throw new Remedy(`The demo runner ${how}. Fix what its log reports, then start again:\n${service.lastLines()}`);
}

const foreignDatabase = (dataDir) =>
	`The database in ${dataDir} was set up with another API key and runner token: set TAPEDECK_BOOTSTRAP_API_KEY and TAPEDECK_BOOTSTRAP_RUNNER_TOKEN to valid ones and delete first-sign-in.json there, or set TAPEDECK_DATA_DIR to another directory.`;

/** @returns the id that the next job will most likely get. */
export async function nextJobId({ localUrl }, apiKey) {
	const answer = await getJson(`${localUrl}/v1/jobs?limit=1`, { token: apiKey }).catch(() => null);
	return (answer?.body?.data?.[0]?.id ?? 0) + 1;
}
