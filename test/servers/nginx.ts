/** nginx with TLS in front of one or several servers, with exactly the configurations that we ship. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startChild } from "../processes/child.ts";
import { freePort } from "../processes/free-port.ts";
import { requireProgram } from "../processes/programs.ts";

const DOCUMENTED = new URL("../../docs/nginx.conf", import.meta.url);
const SEVERAL = new URL("../../deploy/nginx-several.conf", import.meta.url);
const COMPOSE = new URL("../../deploy/nginx-compose.conf", import.meta.url);

export interface Nginx {
	port: number;
	plainPort: number;
	/** The certificate for `localhost`, which clients must trust. */
	certificate: string;
	stop(): Promise<void>;
}

/** @param upstreamPort the port of the server behind it, on 127.0.0.1; it need not listen yet. */
export const startNginx = (upstreamPort: number): Promise<Nginx> =>
	startConfigured(DOCUMENTED, { "127.0.0.1:3000": `127.0.0.1:${upstreamPort}` });

/** @param ports of the three servers behind it, on 127.0.0.1. */
export const startNginxForSeveral = (ports: readonly number[]): Promise<Nginx> =>
	startConfigured(SEVERAL, addressesOf(ports));

/** The addresses of three dashboards in the shipped configurations, mapped to the test's ports. */
export const addressesOf = (ports: readonly number[]): Record<string, string> =>
	Object.fromEntries(ports.map((port, index) => [`10.0.0.${11 + index}:3000`, `127.0.0.1:${port}`]));

/** A certificate for `localhost`, and its key. */
export async function makeCertificate(dir: string): Promise<{ certificate: string; key: string }> {
	const [certificate, key] = [join(dir, "tapedeck.pem"), join(dir, "tapedeck.key")];
	const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
	const keyed = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key];
	const args = ["req", "-x509", "-days", "2", ...subject, ...keyed, "-out", certificate];
	await promisify(execFile)(requireProgram("openssl"), args);
	return { certificate, key };
}

async function startConfigured(file: URL, upstreams: Record<string, string>): Promise<Nginx> {
	const dir = await newFolder();
	const [port, plainPort] = [await freePort(), await freePort()];
	const { certificate, key } = await makeCertificate(dir);
	const site = replaceAll(await readFile(file, "utf8"), {
		...upstreams,
		"listen 80;": `listen 127.0.0.1:${plainPort};`,
		"listen 443 ssl;": `listen 127.0.0.1:${port} ssl;`,
		"tapedeck.example.com;": "localhost;",
		"/etc/ssl/certs/tapedeck.pem": certificate,
		"/etc/ssl/private/tapedeck.key": key,
	});
	const stop = await startSite(site, dir);
	return { port, plainPort, certificate: await readFile(certificate, "utf8"), stop };
}

/** The one of compose-several.yaml, without TLS. @param ports of the two servers behind it, on 127.0.0.1. */
export async function startComposeNginx(ports: readonly number[]): Promise<{ port: number; stop(): Promise<void> }> {
	const port = await freePort();
	const site = replaceAll(await readFile(COMPOSE, "utf8"), {
		...Object.fromEntries(ports.map((each, index) => [`dashboard-${index + 1}:3000`, `127.0.0.1:${each}`])),
		...Object.fromEntries(ports.map((each, index) => [`dashboard-${index + 1}:3001`, `127.0.0.1:${each + 1}`])),
		"listen 8080;": `listen 127.0.0.1:${port};`,
		"listen 8081;": `listen 127.0.0.1:${port + 1};`,
	});
	return { port, stop: await startSite(site) };
}

const newFolder = () => mkdtemp(join(tmpdir(), "tapedeck-nginx-"));

/**
 * @param site what would be in sites-available.
 * @param given a folder of its own, which may have files of the site.
 * @returns a function that stops it and removes its files.
 */
export async function startSite(site: string, given?: string): Promise<() => Promise<void>> {
	const dir = given ?? (await newFolder());
	await writeFile(join(dir, "nginx.conf"), mainConfiguration(dir, site));
	const child = startChild(requireProgram("nginx"), ["-p", dir, "-e", "stderr", "-c", join(dir, "nginx.conf")]);
	await child.says("start worker process");
	return async () => {
		await child.stop();
		await rm(dir, { recursive: true, force: true });
	};
}

export function replaceAll(text: string, replacements: Record<string, string>): string {
	return Object.entries(replacements).reduce((text, [from, to]) => {
		if (!text.includes(from)) throw new Error(`the configuration does not say ${from} any more`);
		return text.replaceAll(from, to);
	}, text);
}

/** The part of Debian's nginx.conf around a site, with every file in one folder, and connections for 1,000 runners. */
const mainConfiguration = (dir: string, site: string): string => `
daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
error_log stderr notice;
worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http {
	access_log off;
	client_body_temp_path ${dir}/body;
	proxy_temp_path ${dir}/proxy;
	fastcgi_temp_path ${dir}/fastcgi;
	uwsgi_temp_path ${dir}/uwsgi;
	scgi_temp_path ${dir}/scgi;
${site}
}
`;
