/** Starts the HTTP server and everything behind it, and stops it in order. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { DASHBOARD_FLAGS } from "@tapedeck/machine/v8-flags.ts";
import { trustProxies } from "#lib/auth/sign-in/client-address.ts";
import { closeDatabase } from "#lib/db/open.ts";
import { type AppContext, contextFor, setAppContext } from "#lib/http/app-context.ts";
import { createEntry, type Entry, type Pages } from "#lib/http/http-entry.ts";
import { guardConnections } from "#lib/http/read-request.ts";
import { loadRoutes } from "#lib/http/route-table.ts";
import { securityHeaders } from "#lib/http/security-headers.ts";
import { keepPartialsHere } from "#lib/recordings/upload/sweep-uploads.ts";
import type { Env } from "./env.ts";
import { type AppRules, openApp } from "./open-app.ts";
import { startSweeps } from "./sweeps.ts";
import { openTraceViewer } from "./trace-viewer.ts";

const STOP_GRACE_MS = 5_000;
/** The time that calls in transit have to arrive after the drain time. */
const LAST_CALLS_MS = 250;
/** The part of the drain time in which streams are ended gradually, so that few remain to be ended at once. */
const DRAIN_PART = 0.9;
/** The minimum time that a stop gives to storing interrupted recordings in the bucket. */
const KEEP_MS = 5_000;
const STALL_TIMEOUT_MS = 120_000;
const HEADERS_MS = 30_000;
/** TCP keep-alive probes find peers that vanished without closing the connection. */
const PROBE_AFTER_MS = 30_000;
/** Longer than proxies keep idle connections, so that the server never closes one that a proxy is about to use. */
const KEEP_ALIVE_MS = 75_000;

export type OpenPages = Pages & { close: () => Promise<void> };
export type StartOptions = {
	/** The folder that holds `v1/**\/route.ts`. */
	appDir: string;
	/** Opens the pages; when omitted, only the API is served. */
	openPages?: (server: Server) => Promise<OpenPages>;
	development?: boolean;
	/** The maximum time for a body to arrive; for tests. */
	bodyTimeoutMs?: number;
	/** The interval at which retention is applied and abandoned uploads are cleaned up; for tests. */
	sweepMs?: number;
	/** Shorter times than usual; for tests. */
	rules?: AppRules;
};
export type RunningServer = {
	app: AppContext;
	port: number;
	/**
	 * Answers health checks with 503 for the drain time, then ends long polls and streams, lets requests finish, and closes
	 * pages and database. Idempotent.
	 */
	stop: () => Promise<void>;
};

/**
 * Opens the app, and listens when everything is ready: a balancer that does not ask for the health sends calls as soon as
 * the port is open.
 *
 * @throws an Error whose message names the problem and the remedy, such as a port in use or a read-only directory.
 */
export async function startServer(env: Env, options: StartOptions): Promise<RunningServer> {
	for (const flag of DASHBOARD_FLAGS) setFlagsFromString(flag);
	const entry: Entry = {
		app: null,
		draining: false,
		routes: [],
		pages: null,
		development: options.development === true,
		bodyTimeoutMs: options.bodyTimeoutMs,
		allowedOrigins: env.allowedOrigins,
		embedOrigins: env.embedOrigins,
		headers: securityHeaders(env.url?.startsWith("https:") === true),
		trusts: trustProxies(env.trustedProxies),
		logsRefusedOnly: env.logsRefusedOnly,
	};
	const server = createServer(
		{
			keepAlive: true,
			keepAliveInitialDelay: PROBE_AFTER_MS,
			connectionsCheckingInterval: 5_000,
			// The HTTP entry point answers requests without a Host header with a problem document.
			requireHostHeader: false,
			// Answers HTTP/2 upgrade offers in HTTP/1.1. Next listens for upgrades, but needs them only to reload pages in
			// development, and would leave any other unanswered.
			shouldUpgradeCallback: () => options.development === true,
		},
		createEntry(entry),
	);
	const closeConnections = guardConnections(server, STALL_TIMEOUT_MS);
	// An upload lasts as long as its recording. Stalled connections are closed instead.
	server.requestTimeout = 0;
	server.headersTimeout = HEADERS_MS;
	server.keepAliveTimeout = KEEP_ALIVE_MS;
	// Before anything is opened, so that a port in use is the only error. The number behind port 0 is not known to anyone
	// else yet.
	const { port } = env.port === 0 ? await listen(server, env) : await probePort(env);
	const stopping = new AbortController();
	const { app, unlock } = await openApp(env, { host: env.host, port }, stopping.signal, options.rules);
	const viewer = await openTraceViewer(env, { baseUrl: app.baseUrl, port }, app.log);
	app.traceViewer = viewer?.origin ?? null;
	entry.routes = await loadRoutes(options.appDir);
	app.routes = entry.routes;
	setAppContext(app);
	const pages = (await options.openPages?.(server)) ?? null;
	entry.pages = pages;
	await startSweeps(app, options.sweepMs);
	entry.app = app;
	if (!server.listening) await listen(server, env);
	const drain = async () => {
		entry.draining = true;
		app.liveEvents.drain(env.drainSeconds * DRAIN_PART * 1_000);
		const isOver = AbortSignal.timeout(Math.max(env.drainSeconds * 1_000, KEEP_MS));
		const kept = keepPartialsHere(contextFor(app, { kind: "system", organizationId: 0 }), isOver).catch((error) =>
			app.log.warn({ err: error }, "could not store all interrupted recordings in the bucket before stopping"),
		);
		await Promise.all([
			sleep(env.drainSeconds * 1_000),
			Promise.race([kept, new Promise((resolve) => isOver.addEventListener("abort", resolve))]),
		]);
		const closed = new Promise<void>((resolve) => server.close(() => resolve()));
		server.closeIdleConnections();
		// Requests that a balancer sent before it found the port closed are served, too.
		if (env.drainSeconds > 0) await sleep(LAST_CALLS_MS);
		stopping.abort();
		await viewer?.close();
		await stopServer(closed, closeConnections, app, pages);
	};
	let stopped: Promise<void> | null = null;
	const stop = () => {
		stopped ??= drain().finally(unlock);
		return stopped;
	};
	return { app, port, stop };
}

async function stopServer(
	closed: Promise<void>,
	closeConnections: () => void,
	app: AppContext,
	pages: OpenPages | null,
): Promise<void> {
	const grace = setTimeout(closeConnections, STOP_GRACE_MS);
	await closed;
	clearTimeout(grace);
	await app.uploads.close();
	// Runners wait for the dashboard that continues their uploads.
	await app
		.leave()
		.catch((error) => app.log.warn({ err: error }, "the other dashboards learn of this stop only by their own polls"));
	await pages?.close();
	await app.excerpts.close();
	await app.trackReader.close();
	app.bucket?.close();
	await app.lastUses.write();
	await app.lastSeen.write();
	await app.events.close();
	await closeDatabase(app);
}

/** @throws if it cannot be listened on. */
async function probePort(env: Env): Promise<AddressInfo> {
	const probe = createServer((req) => req.socket.destroy());
	const address = await listen(probe, env);
	await new Promise((resolve) => probe.close(resolve));
	return address;
}

function listen(server: Server, env: Env): Promise<AddressInfo> {
	return new Promise((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) =>
			reject(new Error(listenFault(error, env), { cause: error })),
		);
		server.listen(env.port, env.host, () => resolve(server.address() as AddressInfo));
	});
}

function listenFault(error: NodeJS.ErrnoException, env: Env): string {
	switch (error.code) {
		case "EADDRINUSE":
			return `Port ${env.port} is in use. Stop the other program, or choose another port with PORT=….`;
		case "EACCES":
			return `This user has no permission to listen on port ${env.port}. Choose a port above 1023 with PORT=….`;
		default:
			return `The server cannot listen on ${env.host}:${env.port} (${error.message}). Check HOST and PORT.`;
	}
}

/** The routes of this checkout. */
export const APP_DIR = join(import.meta.dirname, "..", "..", "app");
