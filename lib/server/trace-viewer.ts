/**
 * Serves Playwright's trace viewer from an origin of its own: a trace contains strangers' pages, which must find neither a
 * session nor the API. The origin serves the viewer's files and nothing else. The viewer fetches a trace by its signed URL.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import type { Log } from "#lib/core/context.ts";
import type { Env } from "./env.ts";

const PACKAGE = fileURLToPath(import.meta.resolve("playwright-core/package.json"));
const FILES = join(dirname(PACKAGE), "lib", "vite", "traceViewer");
const HEADERS = {
	"Content-Security-Policy": "frame-ancestors 'none'",
	"Referrer-Policy": "no-referrer",
	"X-Content-Type-Options": "nosniff",
};
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export interface TraceViewer {
	/** The origin at which browsers reach the viewer. */
	origin: string;
	close(): Promise<void>;
}

/**
 * Listens on the port after the dashboard's.
 * @param at.baseUrl the dashboard's URL.
 * @param at.port the dashboard's port.
 * @returns null if browsers cannot reach the viewer, or another program listens on that port.
 */
export async function openTraceViewer(
	env: Pick<Env, "host" | "port" | "viewerUrl">,
	at: { baseUrl: string; port: number },
	log: Log,
): Promise<TraceViewer | null> {
	const isReachable = env.viewerUrl !== null || isOnThisMachine(at);
	// Port 0 chooses a free one, for the viewer as well.
	const port = env.port === 0 ? 0 : at.port + 1;
	if (!isReachable || port > 65_535) return null;
	const server = createServer(serveViewer());
	try {
		await listen(server, port, env.host);
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = code === "EADDRINUSE" ? "another program listens on it" : message;
		log.warn({ port }, `the trace viewer cannot use port ${port} (${reason}): traces can only be downloaded`);
		return null;
	}
	const own = new URL(env.viewerUrl ?? at.baseUrl);
	if (env.viewerUrl === null) own.port = String((server.address() as AddressInfo).port);
	return { origin: own.origin, close: () => close(server) };
}

/**
 * Whether browsers reach the next port under the dashboard's own host name. A proxy does not pass that port on, and
 * browsers give the viewer its service worker only on this machine or by https.
 */
function isOnThisMachine({ baseUrl, port }: { baseUrl: string; port: number }): boolean {
	const url = new URL(baseUrl);
	return url.protocol === "http:" && LOOPBACK.test(url.hostname) && url.port === String(port);
}

function serveViewer(): Parameters<typeof createServer>[1] {
	const serveFile = sirv(FILES, { etag: true });
	return (req, res) => {
		for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value);
		if (req.method !== "GET" && req.method !== "HEAD") {
			res.writeHead(405, { Allow: "GET, HEAD" }).end();
			return;
		}
		serveFile(req, res, () => {
			res.writeHead(404, { "Content-Type": "text/plain" }).end("This address serves only the trace viewer.\n");
		});
	};
}

function listen(server: Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => resolve());
	});
}

async function close(server: Server): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	server.closeAllConnections();
	await closed;
}
