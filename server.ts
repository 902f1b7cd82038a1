/** The dashboard's process: API, videos and pages from one HTTP server. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { keepCompiled } from "@tapedeck/machine/compile-cache.ts";
import type { OpenPages } from "#lib/server/start-server.ts";

keepCompiled("dashboard");
const { assetsOf } = await import("#lib/nodes/other-builds.ts");
const { checkConfig } = await import("#lib/server/check-config.ts");
const { readEnv } = await import("#lib/server/env.ts");
const { createLogger, logConsole } = await import("#lib/server/logger.ts");
const { OPERATOR_HELP, runOperatorCommand } = await import("#lib/server/operator-commands.ts");
const { APP_DIR, startServer } = await import("#lib/server/start-server.ts");

const args = process.argv.slice(2).filter((word) => word !== "--dev");
const development = process.argv.includes("--dev");
const BUILD = join(import.meta.dirname, ".next");
Object.assign(process.env, { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: development ? "development" : "production" });

// Database, videos and keys are readable by their owner only, whatever the mode of the data directory.
process.umask(0o077);

await main().catch((error: unknown) => {
	// Not by the console, whose lines are lines of the log by now.
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
});

async function main(): Promise<void> {
	if (args.includes("--help")) return console.log(OPERATOR_HELP);
	if (args.length === 1 && args[0] === "check-config") return console.log(checkConfig(process.env));
	const env = readEnv(process.env);
	if (args.length > 0) return console.log(await runOperatorCommand(env, args));
	// Includes output of libraries while the dashboard starts.
	logConsole(createLogger(env.logLevel));
	const { app, stop } = await startServer(env, { appDir: APP_DIR, openPages, development });
	logConsole(app.log);
	let isStopping = false;
	const onSignal = async (signal: string) => {
		// npm passes on a signal that a terminal or a service has sent to this process already.
		if (isStopping) return;
		isStopping = true;
		app.log.info({ signal }, "stopping");
		// Next.js catches uncaught exceptions, which would keep the process alive.
		await stop().catch((error: unknown) => {
			app.log.error({ err: error }, "the dashboard did not stop cleanly");
			process.exitCode = 1;
		});
		process.exit();
	};
	process.on("SIGTERM", onSignal);
	process.on("SIGINT", onSignal);
	// Written at every level: the process that started the dashboard waits for this line.
	createLogger("info", app.node?.id).info({ url: app.baseUrl }, `Tapedeck listens on ${app.baseUrl}`);
	// By itself, Node writes it at an orderly end.
	flushCompileCache();
}

/** @returns the configuration of Next that the pages were built with. */
async function builtConfig(): Promise<object> {
	return JSON.parse(await readFile(join(BUILD, "required-server-files.json"), "utf8")).config;
}

async function openPages(server: Server): Promise<OpenPages> {
	if (!development && !existsSync(join(BUILD, "BUILD_ID"))) {
		throw new Error("The dashboard is not built. Run npm run build, then start it again.");
	}
	// Otherwise Next reads next.config.js, for which it loads what builds pages.
	if (!development) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(await builtConfig());
	const { default: next } = await import("next");
	const pages = next({ dev: development, dir: import.meta.dirname, httpServer: server });
	await pages.prepare();
	return {
		handle: pages.getRequestHandler(),
		assets: development ? null : assetsOf(BUILD),
		close: () => pages.close(),
	};
}
