import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "#test/processes/free-port.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { readEnv } from "./env.ts";
import { APP_DIR, startServer } from "./start-server.ts";

async function variables(port: number): Promise<Record<string, string>> {
	const dataDir = await temporaryFolder("start");
	return { PORT: String(port), TAPEDECK_DATA_DIR: dataDir, TAPEDECK_LOG_LEVEL: "error" };
}

/** @returns `connect`, or the code of the error. */
async function connectionTo(port: number): Promise<string> {
	const socket = connect(port, "127.0.0.1");
	try {
		await once(socket, "connect");
		return "connect";
	} catch (error) {
		return String((error as NodeJS.ErrnoException).code);
	} finally {
		socket.destroy();
	}
}

test("a dashboard accepts no connection before it is ready", async () => {
	const port = await freePort();
	const [almost, ready] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const starting = startServer(readEnv(await variables(port)), {
		appDir: APP_DIR,
		openPages: async () => {
			almost.resolve();
			await ready.promise;
			return { handle: async () => undefined, assets: null, close: async () => undefined };
		},
	});
	onTestFinished(async () => (await starting).stop());
	await almost.promise;
	expect(await connectionTo(port)).toBe("ECONNREFUSED");
	ready.resolve();
	await starting;
	expect(await connectionTo(port)).toBe("connect");
	expect((await fetch(`http://127.0.0.1:${port}/v1/health`)).status).toBe(200);
});
