/** Calls to a running runner through the control socket of its data directory. */
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { type Fault, messageOf } from "../base/fault.ts";
import { pause } from "../base/wait.ts";
import {
	type AddedMarker,
	type CommandMarker,
	type CommandResult,
	type ControlFault,
	type ControlStatus,
	controlSocketIn,
	type DisplayOrder,
	HELD_MS,
	type LentDisplay,
	type LentLine,
	type LocalPrivacy,
	type LocalRecording,
	type Owner,
	PRIVACY_WAIT_MS,
	type PrivacyOrder,
	type RecordOrder,
	type SentTest,
	type SocketAddress,
	type StopAnswer,
	type StopOrder,
} from "./messages.ts";

const CALL_TIMEOUT_MS = 10_000;
const OWN_RETRY_MS = 500;

/** Why a call failed: the runner's refusal, or why it could not be reached. */
export class ControlError extends Error {
	override name = "ControlError";
	/** `absent`: no process listens there; `forbidden`: it is another user's; `silent`: it does not respond. */
	readonly fault: Fault<ControlFault["code"] | "absent" | "forbidden" | "silent">;

	constructor(fault: ControlError["fault"]) {
		super(messageOf(fault));
		this.fault = fault;
	}

	get code(): ControlError["fault"]["code"] {
		return this.fault.code;
	}
}

/** A virtual display that the runner has lent to this process. It ends with this process. */
export interface Loan extends LentDisplay {
	/** Gives the display back. Resolves when it is gone, and never rejects. */
	stop(): Promise<void>;
}

export class ControlClient {
	readonly dataDir: string;

	constructor(dataDir: string) {
		this.dataDir = dataDir;
	}

	/** This and all other calls: @throws ControlError. */
	status(timeoutMs?: number): Promise<ControlStatus> {
		return this.#call("GET", "/status", undefined, timeoutMs);
	}

	/** @param owner the kind of this command, which then has to call `own`. If omitted, the recording has no owner. */
	record(order: RecordOrder, owner?: Owner): Promise<LocalRecording> {
		return this.#call("POST", owner === undefined ? "/recordings" : `/recordings?owner=${owner}`, order);
	}

	/**
	 * Makes this process the owner of a recording, which ends when the process does, even across a restart of the runner.
	 * Returns when the recording is uploaded, or the signal is aborted. Never throws.
	 * @param revive called while no runner runs.
	 */
	async own(key: string, ended?: AbortSignal, revive?: () => Promise<void>): Promise<void> {
		while (!ended?.aborted) {
			try {
				await this.#call("GET", `/recordings/${key}/owner`, undefined, null, ended);
			} catch (error) {
				const code = error instanceof ControlError ? error.code : null;
				// Any other answer, such as after the upload of the recording, means that ownership is over.
				if (code !== "absent" && code !== "silent") return;
				if (code === "absent" && !ended?.aborted) await revive?.();
			}
			await pause(OWN_RETRY_MS, ended);
		}
	}

	/** Adds a marker to the job of a recording. */
	mark(key: string, marker: CommandMarker): Promise<AddedMarker> {
		return this.#call("POST", `/recordings/${key}/markers`, marker);
	}

	/** Begins or ends a private span of a recording. Returns when it is effective. */
	setPrivacy(key: string, order: PrivacyOrder): Promise<LocalPrivacy> {
		return this.#call("POST", `/recordings/${key}/privacy`, order, PRIVACY_WAIT_MS + CALL_TIMEOUT_MS);
	}

	/**
	 * Borrows a virtual display, however long that takes.
	 * @param waits called with a sentence if it has to wait for one.
	 */
	borrowDisplay(order: DisplayOrder, waits: (sentence: string) => void): Promise<Loan> {
		const call = { body: order, timeoutMs: null, signal: undefined };
		return this.#open("POST", "/displays", call, async (response) => {
			for await (const text of createInterface(response)) {
				const line: LentLine = JSON.parse(text);
				if ("fault" in line) throw new ControlError(line.fault);
				if ("waiting" in line) waits(line.waiting);
				else {
					const { display } = line;
					// The display ends with this connection, which does not keep this process alive.
					response.resume();
					response.socket.unref();
					const give = () => this.#call("DELETE", `/displays/${display.id.slice(1)}`);
					return {
						...display,
						stop: () =>
							give().then(
								() => void response.destroy(),
								() => void response.destroy(),
							),
					};
				}
			}
			throw Object.assign(new Error("it ended the call"), { code: "ECONNRESET" });
		});
	}

	stop(order: StopOrder): Promise<StopAnswer> {
		return this.#call("POST", "/stop", order);
	}

	/** Adds what became of tests of the recorded command: as many as fit into one report. */
	tests(key: string, tests: readonly SentTest[]): Promise<object> {
		return this.#call("POST", `/recordings/${key}/tests`, { tests });
	}

	/** Adds the result of the recorded command to the recording's job. */
	result(key: string, result: CommandResult): Promise<object> {
		return this.#call("POST", `/recordings/${key}/result`, result);
	}

	/** Stops the runner once it has nothing to record, and has uploaded what it can. */
	leave(): Promise<object> {
		return this.#call("POST", "/leave");
	}

	/** Makes the runner the installed version as soon as it has nothing to do. */
	restart(): Promise<object> {
		return this.#call("POST", "/restart");
	}

	/** Delivers a recording of another dashboard to this one, as a new job. */
	adopt(key: string): Promise<object> {
		return this.#call("POST", `/spool/${key}/adopt`);
	}

	/** Deletes a recording from the spool. */
	remove(key: string): Promise<object> {
		return this.#call("DELETE", `/spool/${key}`);
	}

	/** The state of a recording; held until it is reached, for up to HELD_MS. */
	waitFor(key: string, until: "recording" | "known" | "finished"): Promise<LocalRecording> {
		return this.#call("GET", `/recordings/${key}?until=${until}`, undefined, HELD_MS + CALL_TIMEOUT_MS);
	}

	#call<T>(
		method: string,
		path: string,
		body?: object,
		timeoutMs: number | null = CALL_TIMEOUT_MS,
		signal?: AbortSignal,
	): Promise<T> {
		return this.#open(method, path, { body, timeoutMs, signal }, async (response) => JSON.parse(await text(response)));
	}

	/** @param read reads an answer that is no refusal. */
	async #open<T>(
		method: string,
		path: string,
		{ body, timeoutMs, signal }: Pick<Exchange, "body" | "timeoutMs" | "signal">,
		read: (response: IncomingMessage) => Promise<T>,
	): Promise<T> {
		let address: SocketAddress;
		try {
			address = controlSocketIn(this.dataDir);
		} catch (error) {
			throw unreachable(error as NodeJS.ErrnoException, this.dataDir);
		}
		try {
			const response = await exchange(address.path, { method, path, body, timeoutMs, signal });
			const { statusCode = 0 } = response;
			if (statusCode >= 200 && statusCode <= 299) return await read(response);
			throw new ControlError(JSON.parse(await text(response)));
		} catch (error) {
			if (error instanceof ControlError) throw error;
			throw unreachable(error as NodeJS.ErrnoException, this.dataDir);
		} finally {
			address.close();
		}
	}
}

interface Exchange {
	method: string;
	path: string;
	body: object | undefined;
	/** Null for none. */
	timeoutMs: number | null;
	signal: AbortSignal | undefined;
}

function exchange(socketPath: string, { method, path, body, timeoutMs, signal }: Exchange) {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const call = request({ socketPath, method, path, host: "runner", agent: false, signal }, resolve);
	const giveUp = () => call.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" }));
	const timer = timeoutMs === null ? undefined : setTimeout(giveUp, timeoutMs);
	call.on("error", reject);
	call.on("close", () => clearTimeout(timer));
	call.end(body === undefined ? undefined : JSON.stringify(body));
	return promise;
}

function unreachable(error: NodeJS.ErrnoException, dataDir: string): ControlError {
	const { code } = error;
	if (code === "EACCES" || code === "EPERM") {
		return new ControlError({
			code: "forbidden",
			what: `The data directory ${dataDir} belongs to another user`,
			remedy: "run the command as the runner's user",
		});
	}
	if (code === "ENOENT" || code === "ENOTDIR" || code === "ECONNREFUSED") {
		return new ControlError({
			code: "absent",
			what: `No runner is running with the data directory ${dataDir}`,
			remedy: "start it with: tapedeck runner",
		});
	}
	return new ControlError({
		code: "silent",
		what: `The runner with the data directory ${dataDir} does not respond (${error.message})`,
		remedy: "see its log, or restart it",
	});
}
