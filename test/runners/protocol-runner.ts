/** A simulated runner of a test's server, which also sees what became of its jobs. */
import type { Job } from "@tapedeck/contract/job.ts";
import { beforeEach } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { leaseSweep } from "#lib/runners/expire-leases.ts";
import { type Answer, TEST_RUNNER_TOKEN, type TestApi } from "../api-server.ts";
import { SimulatedRunner, type TestReport } from "./simulated-runner.ts";

export const firstFrame = { type: "recording", width: 1280, height: 720 } as const;
export const stopped = (stopReason: string, more: object = {}): TestReport => ({
	type: "stopped",
	stopReason,
	...more,
});

let count = 0;

export class ProtocolRunner extends SimulatedRunner {
	readonly #api: () => TestApi;

	/** @param api the server, available when the first call is made. */
	constructor(api: () => TestApi) {
		const dashboard = {
			get url() {
				return api().url;
			},
			runnerToken: TEST_RUNNER_TOKEN,
		};
		super(dashboard, "");
		this.#api = api;
	}

	/** A job in this runner's queue. */
	async createJob(over: object = {}): Promise<Job> {
		const body = { runnerId: this.runnerId, displayId: ":99", stopCondition: "interrupt", ...over };
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
		// Writes pending values first, because they would overwrite this one.
		await lastSeen.write();
		await db.updateTable("runner").set({ lastSeenAt }).where("id", "=", this.runnerId).execute();
	}

	/** Runs the sweep. @param startedAt of the dashboard, in milliseconds. */
	sweepLeases(startedAt = 0): Promise<void> {
		return leaseSweep(startedAt)(contextFor(this.#api().app, { kind: "system", organizationId: 0 }));
	}
}

/**
 * Signs in a new runner, with a name of its own, before every test. @param api the server, available from beforeAll on.
 */
export function protocolRunner(api: () => TestApi): ProtocolRunner {
	const runner = new ProtocolRunner(api);
	beforeEach(async () => {
		count += 1;
		runner.name = `box-${count}`;
		await runner.signIn();
	});
	return runner;
}
