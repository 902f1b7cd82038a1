/** Calls to a running runner through the control socket of its data directory. */
import { request } from "node:http";
import { controlSocketIn, type SocketAddress } from "./control-socket.ts";
import {
	type ControlFault,
	type ControlStatus,
	HELD_MS,
	type LocalRecording,
	type RecordOrder,
	type StopAnswer,
	type StopOrder,
} from "./messages.ts";

const CALL_TIMEOUT_MS = 10_000;

/** Why a call brought nothing: `code` of the runner's refusal, or how it could not be reached. */
export class ControlError extends Error {
	override name = "ControlError";
	/** `absent`: no process listens there; `forbidden`: it is another user's; `silent`: it does not answer. */
	readonly code: ControlFault["code"] | "absent" | "forbidden" | "silent";

	constructor(code: ControlError["code"], message: string) {
		super(message);
		this.code = code;
	}
}

export class ControlClient {
	readonly dataDir: string;

	constructor(dataDir: string) {
		this.dataDir = dataDir;
	}

	/** All of them: @throws ControlError. */
	status(timeoutMs?: number): Promise<ControlStatus> {
		return this.#call("GET", "/status", undefined, timeoutMs);
	}

	record(order: RecordOrder): Promise<LocalRecording> {
		return this.#call("POST", "/recordings", order);
	}

	stop(order: StopOrder): Promise<StopAnswer> {
		return this.#call("POST", "/stop", order);
	}

	/** Delivers a recording of another dashboard to this one, as a new job. */
	adopt(key: string): Promise<object> {
		return this.#call("POST", `/spool/${key}/adopt`);
	}

	/** Removes what is kept of a recording. */
	remove(key: string): Promise<object> {
		return this.#call("DELETE", `/spool/${key}`);
	}

	/** How a recording stands; held for up to HELD_MS until it is so. */
	look(key: string, until: "recording" | "known" | "finished"): Promise<LocalRecording> {
		return this.#call("GET", `/recordings/${key}?until=${until}`, undefined, HELD_MS + CALL_TIMEOUT_MS);
	}

	async #call<T>(method: string, path: string, body?: object, timeoutMs = CALL_TIMEOUT_MS): Promise<T> {
		let address: SocketAddress;
		try {
			address = controlSocketIn(this.dataDir);
		} catch (error) {
			throw unreachable(error as NodeJS.ErrnoException, this.dataDir);
		}
		try {
			const { status, text } = await exchange(address.path, method, path, body, timeoutMs);
			const answer = JSON.parse(text);
			if (status >= 200 && status <= 299) return answer;
			throw new ControlError(answer.code, answer.message);
		} catch (error) {
			if (error instanceof ControlError) throw error;
			throw unreachable(error as NodeJS.ErrnoException, this.dataDir);
		} finally {
			address.close();
		}
	}
}

function exchange(socketPath: string, method: string, path: string, body: object | undefined, timeoutMs: number) {
	const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
	const call = request({ socketPath, method, path, host: "runner", agent: false }, (response) => {
		const chunks: Buffer[] = [];
		response.on("data", (chunk: Buffer) => chunks.push(chunk));
		response.on("error", reject);
		response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
	});
	const timer = setTimeout(() => call.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })), timeoutMs);
	call.on("error", reject);
	call.on("close", () => clearTimeout(timer));
	call.end(body === undefined ? undefined : JSON.stringify(body));
	return promise;
}

function unreachable(error: NodeJS.ErrnoException, dataDir: string): ControlError {
	const { code } = error;
	if (code === "EACCES" || code === "EPERM") {
		const words = `The data directory ${dataDir} is another user's; run the command as the user of the runner.`;
		return new ControlError("forbidden", words);
	}
	if (code === "ENOENT" || code === "ENOTDIR" || code === "ECONNREFUSED") {
		return new ControlError("absent", `No runner runs with the data directory ${dataDir}.`);
	}
	const words = `The runner with the data directory ${dataDir} does not answer (${error.message}); see its log, or start it again.`;
	return new ControlError("silent", words);
}
