/**
 * The servers that benches compare, each in a process of its own: `node lab/bench/servers.ts <role>`, which prints its port.
 *
 *   dashboard  the real server without its pages; on SIGUSR2 it prints how long its event loop was held since the last
 *   bare-file  one file over Range, and nothing else
 *   bare-fleet the runners' protocol with the same durable writes (bare-fleet.ts)
 */
import { createReadStream, statSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";

const roles: Record<string, () => Promise<void>> = {
	dashboard,
	"bare-file": () => listen(bareFile()),
	"bare-fleet": async () => {
		const { bareFleet } = await import("./bare-fleet.ts");
		await listen(await bareFleet(process.env.TAPEDECK_DATA_DIR ?? ""));
	},
};
const role = process.argv[2] ?? "";
const start = roles[role];
if (start === undefined) throw new Error(`Specify a role: ${Object.keys(roles).join(", ")}.`);
await start();

function report(port: number): void {
	console.log(`listens on 127.0.0.1:${port}`);
}

async function dashboard(): Promise<void> {
	// The baselines do without the whole server.
	const { readEnv } = await import("#lib/server/env.ts");
	const { APP_DIR, startServer } = await import("#lib/server/start-server.ts");
	const variables = {
		...process.env,
		PORT: "0",
		TAPEDECK_LOG_LEVEL: "warn",
		TAPEDECK_LIMIT_CALLS: "0",
		TAPEDECK_LIMIT_PAGES: "0",
		TAPEDECK_LIMIT_QUEUED_JOBS: "0",
	};
	const { port, stop } = await startServer(readEnv(variables), { appDir: APP_DIR });
	const delay = monitorEventLoopDelay({ resolution: 1 });
	process.on("SIGUSR2", () => {
		console.log(`event loop held ${delay.max / 1e6} ms`);
		delay.reset();
		// Enabled at the first signal only: a timer each millisecond takes more CPU time than 200 idle runners.
		delay.enable();
	});
	report(port);
	process.on("SIGTERM", () => stop().then(() => process.exit(0)));
}

async function listen(answer: RequestListener): Promise<void> {
	const server = createServer(answer);
	server.listen(0, "127.0.0.1", () => report((server.address() as AddressInfo).port));
	process.on("SIGTERM", () => process.exit(0));
}

function bareFile(): RequestListener {
	const file = process.env.BENCH_FILE ?? "";
	const { size } = statSync(file);
	return (req, res) => {
		const match = /bytes=(\d+)-(\d+)/.exec(req.headers.range ?? "");
		const start = Number(match?.[1] ?? 0);
		const end = Number(match?.[2] ?? size - 1);
		res.writeHead(match === null ? 200 : 206, { "content-length": end - start + 1, "content-type": "video/mp4" });
		createReadStream(file, { start, end }).pipe(res);
	};
}
