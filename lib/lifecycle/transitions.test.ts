import { randomUUID } from "node:crypto";
import { JOB_STATUSES, type JobStatus, STOP_REASONS, type StopReason } from "@tapedeck/contract/job-status.ts";
import { beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { moveJob } from "./job-store.ts";
import { loseJob, returnJob } from "./lose-job.ts";
import { isProvisional, TRANSITIONS } from "./transitions.ts";

/** The documented state diagram, written out independently of the table. */
const ARROWS = new Set([
	"queued starting",
	"queued cancelled",
	"queued failed",
	"starting recording",
	"starting cancelled",
	"starting failed",
	"recording uploading",
	"recording failed",
	"uploading completed",
	"uploading failed",
]);
const RETURNS_FROM_LOST = new Set<JobStatus>([
	"starting",
	"recording",
	"uploading",
	"completed",
	"cancelled",
	"failed",
]);

onEachDatabase((api) => {
	let runnerId: number;
	beforeAll(async () => {
		runnerId = (await api().signIn()).runnerId;
	});

	const system = () => contextFor(api().app, { kind: "system", organizationId: 1 });

	async function jobIn(status: JobStatus, stopReason: StopReason | null = null): Promise<number> {
		const { id } = await api()
			.app.db.insertInto("job")
			.values({
				organizationId: 1,
				runnerId,
				type: "recording",
				displayId: ":99",
				name: `a ${status} job`,
				stopCondition: "interrupt",
				stopConditionConfig: "{}",
				status,
				stopReason,
				createdAt: 1,
				key: randomUUID(),
			})
			.returning("id")
			.executeTakeFirstOrThrow();
		return id;
	}

	const statusOf = async (id: number) =>
		(await api().app.db.selectFrom("job").select("status").where("id", "=", id).executeTakeFirstOrThrow()).status;

	test("the table holds exactly the documented transitions", () => {
		const table = JOB_STATUSES.flatMap((from) => TRANSITIONS[from].map((to) => `${from} ${to}`));
		expect(new Set(table)).toEqual(ARROWS);
	});

	for (const from of JOB_STATUSES) {
		for (const to of JOB_STATUSES) {
			const allowed = ARROWS.has(`${from} ${to}`);
			test(`a job that is ${from} ${allowed ? "moves" : "never moves"} to ${to}`, async () => {
				const id = await jobIn(from);
				const moved = await moveJob(system(), id, to);
				expect(moved?.status).toBe(allowed ? to : undefined);
				expect(await statusOf(id)).toBe(allowed ? to : from);
			});
		}
	}

	for (const to of JOB_STATUSES) {
		const allowed = RETURNS_FROM_LOST.has(to);
		test(`a lost job ${allowed ? "can return" : "never returns"} to ${to}, and only when its runner reports`, async () => {
			const id = await jobIn("failed", "runner_lost");
			expect(await moveJob(system(), id, to)).toBeUndefined();
			const moved = await moveJob(system(), id, to, {}, { returning: true });
			expect(moved?.status).toBe(allowed ? to : undefined);
		});
	}

	for (const stopReason of STOP_REASONS.filter((reason) => reason !== "runner_lost")) {
		test(`a job that failed for ${stopReason} stays failed, whatever is reported`, async () => {
			expect(isProvisional({ status: "failed", stopReason })).toBe(false);
			for (const to of JOB_STATUSES) {
				const id = await jobIn("failed", stopReason);
				expect(await moveJob(system(), id, to, {}, { returning: true })).toBeUndefined();
			}
		});
	}

	test("one of two concurrent claims by runners wins", async () => {
		const id = await jobIn("queued");
		const moves = await Promise.all([moveJob(system(), id, "starting"), moveJob(system(), id, "starting")]);
		expect(moves.filter((row) => row !== undefined)).toHaveLength(1);
	});

	test("a job lost while uploading returns to uploading with its original stop reason", async () => {
		const id = await jobIn("uploading", "duration_elapsed");
		await api().app.db.updateTable("job").set({ startedAt: 1, stoppedAt: 2 }).where("id", "=", id).execute();
		const lost = await loseJob(system(), id, "silent");
		expect(lost).toMatchObject({ status: "failed", stopReason: "runner_lost", errorMessage: "silent" });
		if (lost === undefined) throw new Error("the job was not lost");
		expect(await returnJob(system(), lost)).toMatchObject({
			status: "uploading",
			stopReason: "duration_elapsed",
			errorMessage: null,
			endedAt: null,
		});
	});
});
