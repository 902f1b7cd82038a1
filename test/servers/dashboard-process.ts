/**
 * A real dashboard without pages, as a separate process: several of them share one PostgreSQL in tests. Its only
 * argument is the rules of the app as JSON.
 */
import { flushCompileCache } from "node:module";
import { keepCompiled } from "@tapedeck/machine/compile-cache.ts";

keepCompiled("dashboard");
const { readEnv } = await import("#lib/server/env.ts");
const { APP_DIR, startServer } = await import("#lib/server/start-server.ts");

const rules = JSON.parse(process.argv[2] ?? "{}");
const { port, stop } = await startServer(readEnv(process.env), { appDir: APP_DIR, rules });
// Before the line after which a test may end it.
process.on("SIGTERM", () => stop().finally(() => process.exit()));
console.log(`listens on port ${port}.`);
// Tests kill it.
flushCompileCache();
