/**
 * A runner without displays and encoders that speaks the real protocol, call by call, for tests. simulated-recorder.ts
 * has one that records by itself.
 */
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { request as secureRequest } from "node:https";
import type { Display } from "@tapedeck/contract/runner.ts";
import {
	JOB_KEY_HEADER,
	type JobReport,
	type ReceivedReportsAnswer,
	SESSION_HEADER,
	type SignInAnswer,
	type SyncAnswer,
	type SyncBody,
} from "@tapedeck/contract/runner-protocol.ts";

export interface SimulatedDashboard {
	readonly url: string;
	readonly runnerToken: string;
}

/** A response: status, headers and the parsed body (null when it is empty). */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type RunnerAnswer = { status: number; headers: IncomingHttpHeaders; body: any };

/** A report as a test writes it. It may be one that no runner sends. */
export type TestReport = Partial<Omit<JobReport, "type">> & { type: string; [field: string]: unknown };
type ListedJob = Partial<SyncBody["jobs"][number]> & { id: number };

/** A call that was not answered with success. */
export class CallError extends Error {
	readonly status: number;
	constructor(message: string, status: number) {
		super(message);
		this.status = status;
	}
}

export class SimulatedRunner {
	name: string;
	/** The length of the buffer that it reports; null for none. */
	bufferSeconds: number | null = null;
	/** The number of virtual displays that it says it makes; null for none. */
	virtualDisplays: number | null = null;
	/** The number of virtual displays that programs of its machine have. */
	lentDisplays: number | undefined;
	/** The session of its calls. */
	session = {} as SignInAnswer;
	/** Aborted when the runner vanishes: none of its calls gets a response afterwards. */
	protected readonly gone = new AbortController();
	/** After how long a call without traffic fails; 0 for never. */
	protected readonly idleMs: number = 0;
	protected readonly agent = new Agent();
	readonly #dashboard: SimulatedDashboard;
	readonly #displays: readonly Display[];
	readonly #seqs = new Map<number, number>();
	/** The keys of the jobs that polls brought. */
	readonly #keys = new Map<number, string>();

	constructor(
		dashboard: SimulatedDashboard,
		name: string,
		displays: readonly Display[] = [{ id: ":99", width: 1280, height: 720 }],
	) {
		this.#dashboard = dashboard;
		this.name = name;
		this.#displays = displays;
	}

	get runnerId(): number {
		return this.session.runnerId;
	}

	async signIn(
		name = this.name,
		displays = this.#displays,
		instanceId = `instance-${name}`,
		version = "test",
	): Promise<SignInAnswer> {
		const { bufferSeconds, virtualDisplays } = this;
		const abilities = {
			...(bufferSeconds === null ? {} : { bufferSeconds }),
			...(virtualDisplays === null ? {} : { virtualDisplays }),
		};
		this.session = await this.#succeed("sign-in", { name, version, instanceId, displays, ...abilities });
		return this.session;
	}

	/** Calls `/v1/runner/{path}` in its session. @returns the answer, whatever its status. */
	call(path: string, body: object, { evenGone = false } = {}): Promise<RunnerAnswer> {
		const json = JSON.stringify({ sessionId: this.session.sessionId, ...body });
		const headers = { "content-type": "application/json" };
		return this.#request("POST", `/v1/runner/${path}`, { headers, body: json, evenGone });
	}

	/** Polls and lists these jobs as its own. */
	async sync(listed: readonly ListedJob[] = [], waitSeconds = 0): Promise<SyncAnswer> {
		const jobs = listed.map((job) => ({ cancelSeen: false, key: this.keyOf(job.id), ...job }));
		const { lentDisplays } = this;
		const answer: SyncAnswer = await this.#succeed("sync", { jobs, waitSeconds, lentDisplays });
		for (const { id, key } of answer.start) this.#keys.set(id, key);
		return answer;
	}

	/** Sends reports of one job, numbered consecutively. @returns the answer, which has an entry for each. */
	async report(jobId: number, ...reports: TestReport[]): Promise<ReceivedReportsAnswer["jobs"]> {
		const now = new Date().toISOString();
		const jobs = reports.map((report) => {
			const seq = report.seq ?? (this.#seqs.get(jobId) ?? 0) + 1;
			this.#seqs.set(jobId, seq);
			return { at: now, jobKey: this.keyOf(jobId), ...report, jobId, seq };
		});
		return (await this.#succeed("reports", { sentAt: now, clockShiftMs: 0, jobs })).jobs;
	}

	/** Makes a tus request about the upload of a job: POST creates it. */
	upload(
		method: "POST" | "PATCH" | "HEAD",
		job: { id: number },
		headers: Record<string, string> = {},
		body?: Buffer,
	): Promise<RunnerAnswer> {
		const metadata = `jobId ${btoa(String(job.id))},filetype ${btoa("video/mp4")}`;
		const path = method === "POST" ? "/v1/uploads" : `/v1/uploads/job-${job.id}`;
		return this.#request(method, path, {
			headers: {
				...{ "tus-resumable": "1.0.0", ...this.#headersFor(job.id) },
				...(method === "POST" ? { "upload-defer-length": "1", "upload-metadata": metadata } : {}),
				...(method === "PATCH" ? { "content-type": "application/offset+octet-stream" } : {}),
				...headers,
			},
			body,
		});
	}

	/** Sends a still of the recording at that second. @returns the answer's status. */
	async picture(jobId: number, at: number, jpeg: Buffer): Promise<number> {
		const headers = { ...this.#headersFor(jobId), "content-type": "image/jpeg" };
		const path = `/v1/runner/jobs/${jobId}/poster?at=${at}`;
		return (await this.#request("PUT", path, { headers, body: jpeg })).status;
	}

	/** Sends lines of a track. */
	sendTrack(jobId: number, name: string, lines: string, query = ""): Promise<RunnerAnswer> {
		const headers = { ...this.#headersFor(jobId), "content-type": "application/x-ndjson" };
		return this.#request("POST", `/v1/runner/jobs/${jobId}/tracks/${name}${query}`, { headers, body: lines });
	}

	/** Signs out, if the dashboard still knows it. */
	async signOut(): Promise<void> {
		await this.call("sign-out", {}, { evenGone: true }).finally(() => this.agent.destroy());
	}

	/** Disappears as if it were killed. */
	kill(): void {
		this.gone.abort();
		this.agent.destroy();
	}

	/** The key of a job that a poll brought. */
	keyOf(jobId: number): string {
		return this.#keys.get(jobId) ?? "the key of no job";
	}

	#headersFor(jobId: number): Record<string, string> {
		return { [SESSION_HEADER]: this.session.sessionId, [JOB_KEY_HEADER]: this.keyOf(jobId) };
	}

	async #succeed(path: string, body: object) {
		return succeeded(`POST ${path}`, await this.call(path, body)).body;
	}

	#request(
		method: string,
		path: string,
		{
			headers,
			body,
			evenGone = false,
		}: { headers: Record<string, string>; body?: Buffer | string; evenGone?: boolean },
	): Promise<RunnerAnswer> {
		return new Promise((resolve, reject) => {
			const url = new URL(path, this.#dashboard.url);
			const call = (url.protocol === "https:" ? secureRequest : request)(url, {
				...{ method, agent: this.agent },
				...(evenGone ? {} : { signal: this.gone.signal }),
				headers: {
					...{ accept: "application/json", authorization: `Bearer ${this.#dashboard.runnerToken}` },
					...headers,
					...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
				},
			});
			call.setTimeout(this.idleMs, () => call.destroy(new Error(`${method} ${path} was not answered in time`)));
			call.on("error", reject);
			call.on("response", (answer) => {
				let text = "";
				answer.setEncoding("utf8");
				answer.on("data", (part: string) => {
					text += part;
				});
				answer.on("error", reject);
				answer.on("end", () => {
					const isJson = answer.headers["content-type"]?.includes("json") === true;
					const parsed = text === "" ? null : isJson ? JSON.parse(text) : text;
					resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: parsed });
				});
			});
			call.end(body);
		});
	}
}

/** @returns the answer. @throws CallError unless it is one of success. */
export function succeeded(call: string, answer: RunnerAnswer): RunnerAnswer {
	if (answer.status >= 200 && answer.status < 300) return answer;
	throw new CallError(`${call} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 200)}`, answer.status);
}
