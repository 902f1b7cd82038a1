/** Three dashboards on one PostgreSQL behind nginx, and recordings by simulated runners that reach them in turn. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import { expect, onTestFinished } from "vitest";
import { type OwnPostgres, startOwnPostgres } from "../databases/own-postgres.ts";
import { SimulatedRecorder } from "../runners/simulated-recorder.ts";
import { until } from "../wait.ts";
import { DASHBOARDS_API_KEY, DASHBOARDS_RUNNER_TOKEN, type DashboardProcess, startDashboards } from "./dashboards.ts";
import { startRoundRobin } from "./round-robin.ts";

/** Short, but longer than a busy machine leaves a process waiting. */
const LEASE = { leaseMs: 4_000, renewMs: 500, marginMs: 400 };
/** Longer than a lease. */
export const STANDSTILL_MS = LEASE.leaseMs + 1_500;

export interface Running {
	id: number;
	/** The dashboard that has the recording. */
	holder: DashboardProcess;
	others: DashboardProcess[];
}

export interface DashboardsScene {
	postgres: OwnPostgres;
	/** Starts a recording. Returns once more than three seconds of it have arrived. */
	record(): Promise<Running>;
	/** The part of a job's video that a dashboard has on its disk. */
	fileAt(node: DashboardProcess, id: number): Promise<Buffer>;
	/** Resolves when the job has ended as completed, with a recording that is ready. */
	ended(id: number, nodes: DashboardProcess[]): Promise<Job>;
	/** The video as a dashboard serves it. */
	playedAt(node: DashboardProcess, job: Job): Promise<Buffer>;
	stop(): Promise<void>;
}

/**
 * @param pieces the chunks of the video that each job records.
 * @param pieceEveryMs the interval at which chunks are recorded.
 * @param variables more environment variables, of all dashboards.
 */
export async function startDashboardsScene(
	pieces: readonly Buffer[],
	pieceEveryMs: number,
	variables: Record<string, string> = {},
): Promise<DashboardsScene> {
	const postgres = await startOwnPostgres();
	const dashboards = await startDashboards(3, postgres.url, variables, [], { nodeLease: LEASE });
	const { nodes } = dashboards;
	// Polls last 5 s. Of three requests in a row, one would wait for the dashboard that stands still.
	const options = { readSeconds: 7, outSeconds: 10 };
	const ports = nodes.map(({ port }) => port);
	const balancer = await startRoundRobin(ports, options);
	let names = 0;
	const fileAt = (node: DashboardProcess, id: number) =>
		readFile(join(node.dataDir, "videos", `job-${id}`)).catch(() => Buffer.alloc(0));
	return {
		postgres,
		fileAt,
		async record() {
			const dashboard = { url: `http://127.0.0.1:${balancer.port}`, runnerToken: DASHBOARDS_RUNNER_TOKEN };
			const runner = new SimulatedRecorder(dashboard, `runner ${++names}`, pieces, {}, pieceEveryMs);
			await runner.start();
			onTestFinished(() => runner.kill());
			const [first] = nodes as [DashboardProcess];
			const body = { runnerId: runner.runnerId, displayId: ":99", stopCondition: "interrupt" } as const;
			const { id } = await first.api.createJob(body);
			await until(async () => ((await first.api.readJob(id)).recording?.durationSeconds ?? 0) > 3, "it records");
			const holders = await Promise.all(nodes.map(async (node) => ((await fileAt(node, id)).length > 0 ? node : null)));
			const holder = holders.find((node) => node !== null) as DashboardProcess;
			expect(holders.filter((node) => node !== null)).toEqual([holder]);
			return { id, holder, others: nodes.filter((node) => node !== holder) };
		},
		async ended(id, [first]) {
			const readFirst = async () => {
				const job = await first?.api.readJob(id).catch(() => null);
				return job?.endedAt == null ? null : job;
			};
			const job = await until(readFirst, "the job has ended", 120_000);
			expect(job).toMatchObject({ status: "completed", recording: { state: "ready" } });
			return job;
		},
		async playedAt(node, job) {
			const answer = await fetch(`${node.url}/v1/recordings/${job.recording?.id}/video`, {
				headers: { authorization: `Bearer ${DASHBOARDS_API_KEY}` },
			});
			expect(answer.status, `played at ${node.url}`).toBe(200);
			return Buffer.from(await answer.arrayBuffer());
		},
		async stop() {
			await balancer.stop();
			await dashboards.stop();
			await postgres.stop();
		},
	};
}
