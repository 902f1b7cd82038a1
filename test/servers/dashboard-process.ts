/** A real dashboard without pages, as a process of its own: several of them share one PostgreSQL in tests. */
import { readEnv } from "#lib/server/env.ts";
import { APP_DIR, startServer } from "#lib/server/start-server.ts";

const { port, stop } = await startServer(readEnv(process.env), { appDir: APP_DIR });
// Before the line after which a test may end it.
process.on("SIGTERM", () => stop().finally(() => process.exit()));
console.log(`listens on port ${port}.`);
