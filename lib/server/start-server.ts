/** Starts the HTTP server and everything behind it, and stops it in order. */
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { writeUses } from "../auth/last-use.ts";
import { trustProxies } from "../auth/sign-in/peer.ts";
import { type AppContext, setAppContext } from "./app-context.ts";
import { browserSafety } from "./browser-safety.ts";
import type { Env } from "./env.ts";
import { createDoor, type Door, type PageHandler } from "./http-entry.ts";
import { lingerAfterEarlyAnswers } from "./linger.ts";
import { openApp } from "./open-app.ts";
import { loadRoutes } from "./route-table.ts";
import { streamRoutes } from "./stream-routes.ts";
import { startSweeps } from "./sweeps.ts";
import { answerUnreadableRequests } from "./unreadable-requests.ts";

const STOP_GRACE_MS = 5_000;
const IDLE_SOCKET_MS = 120_000;
const HEADERS_MS = 30_000;
/** A peer that has vanished without a word is found out by the kernel's probes. */
const PROBE_AFTER_MS = 30_000;
/** Longer than a proxy keeps an idle connection to us, so that it is never we who close one that is just being used. */
const KEEP_ALIVE_MS = 75_000;

export type Pages = { handle: PageHandler; close: () => Promise<void> };
export type StartOptions = {
	/** The folder that holds `v1/**\/route.ts`. */
	appDir: string;
	/** Opens the pages; left out, only the API is served. */
	openPages?: (server: Server) => Promise<Pages>;
	development?: boolean;
	/** How long a body may take to arrive; for tests. */
	bodyTimeoutMs?: number;
};
export type RunningServer = {
	app: AppContext;
	port: number;
	/** Ends long polls and streams, lets requests finish, closes pages and database. Idempotent. */
	stop: () => Promise<void>;
};

/**
 * Listens first and opens then: until everything is there, calls are answered 503.
 *
 * @throws an Error with one sentence and the remedy: a port that is taken, a directory that cannot be written.
 */
export async function startServer(env: Env, options: StartOptions): Promise<RunningServer> {
	const door: Door = {
		app: null,
		routes: [],
		pages: null,
		development: options.development === true,
		bodyTimeoutMs: options.bodyTimeoutMs,
		headers: browserSafety(env.url?.startsWith("https:") === true),
		trusts: trustProxies(env.trustedProxies),
	};
	const server = createServer(
		{
			keepAlive: true,
			keepAliveInitialDelay: PROBE_AFTER_MS,
			connectionsCheckingInterval: 5_000,
			// The entry point answers requests without a Host header itself, with a problem document.
			requireHostHeader: false,
			// Offers of HTTP/2 are declined by answering in HTTP/1.1. Next listens for upgrades, but needs them to reload
			// pages in development only, and would leave any other without an answer.
			shouldUpgradeCallback: () => options.development === true,
		},
		createDoor(door),
	);
	answerUnreadableRequests(server);
	lingerAfterEarlyAnswers(server);
	const sockets = new Set<Socket>();
	server.on("connection", (socket: Socket) => {
		sockets.add(socket);
		socket.once("close", () => sockets.delete(socket));
	});
	// An upload lasts as long as its recording; what is idle is ended instead.
	server.requestTimeout = 0;
	server.headersTimeout = HEADERS_MS;
	server.keepAliveTimeout = KEEP_ALIVE_MS;
	server.setTimeout(IDLE_SOCKET_MS);
	const { port } = await listen(server, env);
	const stopping = new AbortController();
	const { app, unlock } = await openApp(env, { host: env.host, port }, stopping.signal);
	door.routes = await loadRoutes(options.appDir, streamRoutes(app));
	app.routes = door.routes;
	setAppContext(app);
	const pages = (await options.openPages?.(server)) ?? null;
	door.pages = pages?.handle ?? null;
	await startSweeps(app);
	door.app = app;
	let stopped: Promise<void> | null = null;
	const stop = () => {
		stopped ??= stopServer(server, sockets, app, stopping, pages).finally(unlock);
		return stopped;
	};
	return { app, port, stop };
}

async function stopServer(
	server: Server,
	sockets: ReadonlySet<Socket>,
	app: AppContext,
	stopping: AbortController,
	pages: Pages | null,
): Promise<void> {
	stopping.abort();
	const closed = new Promise<void>((resolve) => server.close(() => resolve()));
	server.closeIdleConnections();
	// All of them: the server itself forgets those whose requests were upgraded.
	const grace = setTimeout(() => {
		for (const socket of sockets) socket.destroy();
	}, STOP_GRACE_MS);
	await closed;
	clearTimeout(grace);
	await pages?.close();
	await writeUses(app.db);
	await app.db.destroy();
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
			return `Port ${env.port} is taken by another program. Stop it, or choose another port with PORT=….`;
		case "EACCES":
			return `This user may not listen on port ${env.port}. Choose one above 1023 with PORT=….`;
		default:
			return `The server cannot listen on ${env.host}:${env.port} (${error.message}). Check HOST and PORT.`;
	}
}

/** The routes of this checkout. */
export const APP_DIR = join(import.meta.dirname, "..", "..", "app");
