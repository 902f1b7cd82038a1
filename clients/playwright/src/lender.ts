/** Virtual displays that a runner of this machine lends to this process, through the socket in its data directory. */
import { closeSync, constants, openSync, readdirSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

const STATUS_MS = 3_000;

/** A runner that lends displays. */
export interface Lender {
	dataDir: string;
	/** Its name. */
	runner: string;
	runnerId: number;
}

export interface Loan {
	/** `:104` */
	id: string;
	width: number;
	height: number;
	/** Resolves when the display is gone. */
	ended: Promise<void>;
	/**
	 * Waits a moment until it shows no window. Never rejects.
	 * @returns whether it shows none, as far as the runner can tell.
	 */
	cleared(): Promise<boolean>;
	/** Gives it back. Resolves when it is gone, and never rejects. */
	stop(): Promise<void>;
}

/** The part of a runner's status that is read here. */
interface Status {
	name: string;
	ending: boolean;
	dashboard: { runnerId: number | null };
	/** Earlier runners have none. */
	virtualDisplays?: { maximum: number };
}

/** A line of the answer to the call that borrows a display. */
type Line =
	| { waiting: string }
	| { display: Pick<Loan, "id" | "width" | "height"> }
	| { fault: { what: string; remedy: string } };

/**
 * @param name of the runner; undefined for the one of this machine.
 * @param count of the displays that are needed at the same time.
 * @throws an Error with a sentence.
 */
export async function findLender(name: string | undefined, count: number, env: NodeJS.ProcessEnv): Promise<Lender> {
	const found = await Promise.all(
		dataDirs(env).map(async (dataDir) => {
			const status = await call<Status>(dataDir, "GET", "/status").catch(() => null);
			return status === null ? [] : [{ dataDir, status }];
		}),
	);
	const able = found.flat().flatMap(({ dataDir, status }) => {
		const { name: runner, ending, dashboard, virtualDisplays } = status;
		const isAble = !ending && (virtualDisplays?.maximum ?? 0) >= count && (name === undefined || runner === name);
		return isAble && dashboard.runnerId !== null ? [{ dataDir, runner, runnerId: dashboard.runnerId }] : [];
	});
	const chosen = able.length === 1 ? able[0] : able.find(({ runner }) => runner === hostname());
	if (chosen !== undefined) return chosen;
	if (able.length > 1)
		throw new Error(
			`Several runners lend displays: ${able.map(({ runner }) => runner).join(", ")}. Name one of them as runner.`,
		);
	throw new Error(
		`No runner of this user lends ${count} displays at a time. Start one on this machine with ` +
			`TAPEDECK_VIRTUAL_DISPLAYS=${count}, or set TAPEDECK_DATA_DIR to its data directory.`,
	);
}

/** Folders in which runners may have their sockets. */
function dataDirs({ TAPEDECK_DATA_DIR, XDG_STATE_HOME }: NodeJS.ProcessEnv): string[] {
	if (TAPEDECK_DATA_DIR) return [TAPEDECK_DATA_DIR];
	const state = XDG_STATE_HOME?.startsWith("/") ? XDG_STATE_HOME : join(homedir(), ".local", "state");
	const folder = join(state, "tapedeck");
	try {
		return readdirSync(folder).flatMap((name) => (name.startsWith("runner-") ? [join(folder, name)] : []));
	} catch {
		return [];
	}
}

/** Waits until the runner has a display to lend. @throws an Error with a sentence. */
export async function borrow({ dataDir, runner }: Lender, size: { width: number; height: number }): Promise<Loan> {
	const response = await open(dataDir, "POST", "/displays", size);
	if (response.statusCode !== 200) throw refusal(await text(response));
	for await (const json of createInterface(response)) {
		const line: Line = JSON.parse(json);
		if ("fault" in line) throw refusal(JSON.stringify(line.fault));
		if ("waiting" in line) continue;
		const { display } = line;
		const ended = new Promise<void>((resolve) => response.once("close", resolve));
		// The display ends with this connection, which does not keep this process alive.
		response.on("error", () => undefined);
		response.resume();
		response.socket.unref();
		const path = `/displays/${display.id.slice(1)}`;
		// Earlier runners cannot tell.
		const cleared = () =>
			call<{ isEmpty: boolean }>(dataDir, "GET", `${path}/cleared`).then(
				({ isEmpty }) => isEmpty,
				() => true,
			);
		const stop = async () => {
			await call(dataDir, "DELETE", path).catch(() => undefined);
			response.destroy();
		};
		return { ...display, ended, cleared, stop };
	}
	throw new Error(`The runner ${runner} ended the call for a display.`);
}

async function call<T>(dataDir: string, method: string, path: string): Promise<T> {
	const response = await open(dataDir, method, path, undefined, STATUS_MS);
	const answer = await text(response);
	if (response.statusCode !== 200) throw refusal(answer);
	return JSON.parse(answer);
}

function refusal(json: string): Error {
	const { what, remedy }: { what: string; remedy: string } = JSON.parse(json);
	return new Error(`${what}; ${remedy}.`);
}

/** Opens by a descriptor of the folder, because the path of a socket is limited to 107 bytes. */
async function open(
	dataDir: string,
	method: string,
	path: string,
	body?: object,
	timeout?: number,
): Promise<IncomingMessage> {
	const descriptor = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY);
	try {
		return await new Promise((resolve, reject) => {
			const socketPath = `/proc/self/fd/${descriptor}/control.sock`;
			const sent = request({ socketPath, method, path, host: "runner", agent: false }, resolve);
			sent.on("error", reject);
			if (timeout !== undefined)
				sent.setTimeout(timeout, () => sent.destroy(new Error("The runner does not respond.")));
			sent.end(body === undefined ? undefined : JSON.stringify(body));
		});
	} finally {
		closeSync(descriptor);
	}
}
