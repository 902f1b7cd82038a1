/** The real server without its pages: what serves /v1 in production, on a free port. */
import { readEnv } from "#lib/server/env.ts";
import { APP_DIR, startServer } from "#lib/server/start-server.ts";

const variables = {
	...process.env,
	PORT: "0",
	TAPEDECK_LOG_LEVEL: "warn",
	TAPEDECK_LIMIT_CALLS: "0",
	TAPEDECK_LIMIT_QUEUED_JOBS: "0",
};
const { app, port, stop } = await startServer(readEnv(variables), { appDir: APP_DIR });
app.log.debug({ port }, "bench server");
console.log(`listens on 127.0.0.1:${port}`);
process.on("SIGTERM", () => stop().then(() => process.exit(0)));
