/** A runner's side of the protocol, call by call, for tests of the dashboard's side. */
import { beforeEach, expect } from "vitest";
import type { Job } from "#lib/contract/job.ts";
import type { Display } from "#lib/contract/runner.ts";
import type { JobReport, SignInAnswer, SyncAnswer, SyncBody } from "#lib/contract/runner-protocol.ts";
import { leaseSweep } from "#lib/runners/expire-leases.ts";
import { contextFor } from "#lib/server/app-context.ts";
import { type Answer, TEST_RUNNER_TOKEN, type TestApi } from "../api-server.ts";

export type TestReport = Partial<Omit<JobReport, "type">> & { type: string; [field: string]: unknown };
type ListedJob = Partial<SyncBody["jobs"][number]> & { id: number };

export const firstFrame = { type: "recording", width: 1280, height: 720 } as const;
export const stopped = (stopReason: string, more: object = {}): TestReport => ({
	type: "stopped",
	stopReason,
	...more,
});

let count = 0;

export class ProtocolRunner {
	/** The name under which it signed in, unlike that of every other test. */
	name = "";
	/** The session of its calls. */
	session = {} as SignInAnswer;
	readonly #api: () => TestApi;
	readonly #seqs = new Map<number, number>();
	/** The keys of the jobs that polls brought. */
	readonly #keys = new Map<number, string>();

	constructor(api: () => TestApi) {
		this.#api = api;
	}

	async signIn(name = this.name, displays?: Display[], instanceId?: string): Promise<SignInAnswer> {
		this.session = await this.#api().signIn(name, displays, instanceId);
		return this.session;
	}

	call(path: string, body: object): Promise<Answer> {
		const { sessionId } = this.session;
		return this.#api().call("POST", `/v1/runner/${path}`, { token: TEST_RUNNER_TOKEN, body: { sessionId, ...body } });
	}

	async sync(listed: readonly ListedJob[] = [], waitSeconds = 0): Promise<SyncAnswer> {
		const jobs = listed.map((job) => ({ cancelSeen: false, key: this.#keyOf(job.id), ...job }));
		const answer = await this.call("sync", { jobs, waitSeconds });
		expect(answer.status, JSON.stringify(answer.body)).toBe(200);
		for (const { id, key } of (answer.body as SyncAnswer).start) this.#keys.set(id, key);
		return answer.body;
	}

	/** Sends reports of one job, numbered consecutively. @returns the answer, which has an entry for each. */
	async report(jobId: number, ...reports: TestReport[]): Promise<{ jobId: number; status: string | null }[]> {
		const jobs = reports.map((report) => {
			const seq = report.seq ?? (this.#seqs.get(jobId) ?? 0) + 1;
			this.#seqs.set(jobId, seq);
			return { at: new Date().toISOString(), jobKey: this.#keyOf(jobId), ...report, jobId, seq };
		});
		return (await this.call("reports", { sentAt: new Date().toISOString(), clockShiftMs: 0, jobs })).body.jobs;
	}

	#keyOf(jobId: number): string {
		return this.#keys.get(jobId) ?? "the key of no job";
	}

	/** A job in this runner's queue. */
	async createJob(over: object = {}): Promise<Job> {
		const body = { runnerId: this.session.runnerId, displayId: ":99", stopCondition: "interrupt", ...over };
		return (await this.#api().call("POST", "/v1/jobs", { body })).body;
	}

	/** A job that this runner has taken. */
	async startJob(over: object = {}): Promise<{ id: number; key: string }> {
		const { id } = await this.createJob(over);
		const job = (await this.sync()).start.find((started) => started.id === id);
		return { id, key: job?.key ?? "" };
	}

	cancelJob(id: number): Promise<Answer> {
		return this.#api().call("POST", `/v1/jobs/${id}/cancel`);
	}

	async readJob(id: number): Promise<Job> {
		return (await this.#api().call("GET", `/v1/jobs/${id}`)).body;
	}

	async events(id: number): Promise<{ type: string; at: string; message: string }[]> {
		return (await this.#api().call("GET", `/v1/jobs/${id}/events`)).body.data;
	}

	async eventTypes(id: number): Promise<string[]> {
		return (await this.events(id)).map(({ type }) => type);
	}

	/** Stores a recording of 3 s and 9 bytes, as an upload would have. @returns its id. */
	async storeRecording(jobId: number, state: "live" | "ready"): Promise<number> {
		const values = { organizationId: 1, jobId, name: "v", state, contentType: "video/mp4", uploadId: `u${jobId}` };
		const inserted = this.#api()
			.app.db.insertInto("recording")
			.values({ ...values, durationSeconds: 3, bytes: 9, createdAt: 1, updatedAt: 1 })
			.returning("id");
		return (await inserted.executeTakeFirstOrThrow()).id;
	}

	/** Makes its last call that long ago. */
	async beSilentFor(seconds: number): Promise<void> {
		const lastSeenAt = Date.now() - seconds * 1_000;
		const { db, lastSeen } = this.#api().app;
		// What is noted already would be written over it.
		await lastSeen.write();
		await db.updateTable("runner").set({ lastSeenAt }).where("id", "=", this.session.runnerId).execute();
	}

	/** Runs the sweep. @param startedAt of the dashboard, in milliseconds. */
	sweepLeases(startedAt = 0): Promise<void> {
		return leaseSweep(startedAt)(contextFor(this.#api().app, { kind: "system", organizationId: 0 }));
	}
}

/** Signs in a new runner before every test. @param api the server, available from beforeAll on. */
export function protocolRunner(api: () => TestApi): ProtocolRunner {
	const runner = new ProtocolRunner(api);
	beforeEach(async () => {
		count += 1;
		runner.name = `box-${count}`;
		await runner.signIn();
	});
	return runner;
}
