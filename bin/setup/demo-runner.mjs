/** The demo runner's process. */
import { join } from "node:path";
import { CLONE } from "./product.mjs";
import { withPackages } from "./run.mjs";
import { startService } from "./service.mjs";

export function startRunner(node, settings, { runnerToken }, displayId) {
	const env = withPackages({
		TAPEDECK_URL: settings.localUrl,
		TAPEDECK_TOKEN: runnerToken,
		TAPEDECK_RUNNER_NAME: settings.runnerName,
		TAPEDECK_DATA_DIR: join(settings.dataDir, "demo-runner"),
		DISPLAY: displayId,
	});
	// These belong to the dashboard; the runner has no use for a key with every scope.
	for (const name of Object.keys(env)) if (name.startsWith("TAPEDECK_BOOTSTRAP_")) delete env[name];
	const logFile = join(settings.dataDir, "logs", "demo-runner.log");
	const { folder, runner } = settings.product ?? CLONE;
	return startService("the demo runner", node, runner, { cwd: folder, env, logFile });
}
