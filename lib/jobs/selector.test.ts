import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Display } from "@tapedeck/contract/runner.ts";
import type { RunnerJob } from "@tapedeck/contract/runner-protocol.ts";
import { expect, test } from "vitest";
import { type Answer, type CallOptions, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { inExplore } from "#test/in-explore.ts";

const SCREEN = { width: 640, height: 480 };

onEachDatabase((api) => {
	let pools = 0;
	const newPool = () => {
		pools += 1;
		return `pool-${pools}`;
	};

	const signIn = async (name: string, labels: object, displays: Display[]) => {
		const body = { name, version: "1.0.0", instanceId: `instance-of-${name}`, displays, labels };
		const answer = await api().call("POST", "/v1/runner/sign-in", { token: TEST_RUNNER_TOKEN, body });
		return answer.body as { runnerId: number; sessionId: string };
	};
	/** A busy PostgreSQL may keep a call waiting until it is refused with 503: then it is sent again, as clients do. */
	const callPatiently = async (path: string, options: CallOptions): Promise<Answer> => {
		for (;;) {
			const answer = await api().call("POST", path, options);
			if (answer.status !== 503) return answer;
			await sleep(Number(answer.headers.get("retry-after")) * 1_000);
		}
	};
	const runnerCall = async (path: string, body: object) => {
		const answer = await callPatiently(`/v1/runner/${path}`, { token: TEST_RUNNER_TOKEN, body });
		expect(answer, path).toMatchObject({ status: 200 });
		return answer;
	};
	const sync = async (sessionId: string, jobs: object[], waitSeconds = 0): Promise<RunnerJob[]> =>
		(await runnerCall("sync", { sessionId, jobs, waitSeconds })).body.start;
	const create = (selector: object, over: object = {}) =>
		api().call("POST", "/v1/jobs", { body: { selector, stopCondition: "interrupt", ...over } });
	const read = async (id: number) => (await api().call("GET", `/v1/jobs/${id}`)).body;

	test("the runner with the labels and the display takes the job, with its own labels", async () => {
		const pool = newPool();
		const other = await signIn(`${pool}-a`, { pool, os: "old" }, [{ id: ":1", ...SCREEN }]);
		const wanted = await signIn(`${pool}-b`, { pool, os: "new" }, [
			{ id: ":1", ...SCREEN },
			{ id: ":2", ...SCREEN },
		]);
		const { status, body } = await create({ labels: { pool, os: "new" }, display: ":2" }, { labels: { test: "x" } });
		expect([status, body.status]).toEqual([201, "queued"]);
		expect(await sync(other.sessionId, [])).toEqual([]);
		const [taken] = await sync(wanted.sessionId, []);
		expect(taken).toMatchObject({ id: body.id, displayId: ":2" });
		expect(await read(body.id)).toMatchObject({
			runnerId: wanted.runnerId,
			displayId: ":2",
			labels: { test: "x", pool, os: "new" },
			status: "starting",
		});
	});

	test("a selector that no runner fits is refused with what is missing", async () => {
		const pool = newPool();
		await signIn(`${pool}-a`, { pool, os: "linux" }, [{ id: ":1", ...SCREEN }]);
		await signIn(`${pool}-b`, { os: "windows" }, []);
		for (const [selector, path, message] of [
			[{ labels: { pool: "none" } }, "selector.labels", "No runner has pool=none."],
			[{ labels: { pool, os: "windows" } }, "selector.labels", `No runner has pool=${pool} and os=windows together.`],
			[{ labels: { pool }, display: ":7" }, "selector.display", "does not have the display :7"],
			[{ display: "7" }, "selector.display", 'Send display as "any"'],
			[{ labels: { Pool: "x" } }, "selector.labels.Pool", "lower-case"],
			[{ runner: 1 }, "selector.runner", "Unknown field"],
		] as const) {
			const { status, body } = await create(selector);
			expect([status, body.errors?.[0].path]).toEqual([422, path]);
			expect(body.errors[0].message).toContain(message);
		}
		const both = await create({ labels: { pool } }, { runnerId: 1 });
		expect([both.status, both.body.errors[0]]).toEqual([422, expect.objectContaining({ path: "runnerId" })]);
	});

	test("while all are busy the job waits and says for what, and a display that becomes free takes it at once", async () => {
		const pool = newPool();
		const { sessionId } = await signIn(`${pool}-a`, { pool }, [{ id: ":1", ...SCREEN }]);
		const first = (await create({ labels: { pool } })).body.id;
		const [running] = await sync(sessionId, []);
		expect(running?.id).toBe(first);
		const waiting = (await create({ labels: { pool } })).body.id;
		expect(await sync(sessionId, [listed(running)])).toEqual([]);
		const { data } = (await api().call("GET", `/v1/jobs/${waiting}/events`)).body;
		expect(data.map(({ message }: { message: string }) => message)).toContain(
			`Waiting for a free display: pool=${pool}. 1 runner fits.`,
		);
		const poll = sync(sessionId, [listed(running)], 8);
		await finish(sessionId, running);
		expect((await poll).map(({ id }) => id)).toEqual([waiting]);
	});

	test("a waiting job can be cancelled, and passes on when the runner that it stands with is removed", async () => {
		const pool = newPool();
		const [first, second] = [
			await signIn(`${pool}-a`, { pool }, [{ id: ":1", ...SCREEN }]),
			await signIn(`${pool}-b`, { pool }, [{ id: ":1", ...SCREEN }]),
		];
		const cancelled = (await create({ labels: { pool } })).body.id;
		expect((await api().call("POST", `/v1/jobs/${cancelled}/cancel`)).body.status).toBe("cancelled");
		const { id, runnerId } = (await create({ labels: { pool } })).body;
		expect(runnerId).toBe(first.runnerId);
		expect((await api().call("DELETE", `/v1/runners/${first.runnerId}`)).status).toBe(204);
		expect((await sync(second.sessionId, [])).map((job) => job.id)).toEqual([id]);
	});

	inExplore(test)(
		"20 runners take 200 jobs created at once: none twice, and no runner is idle while one waits",
		async () => {
			const pool = newPool();
			const runners = await Promise.all(
				Array.from({ length: 20 }, (_, index) => signIn(`${pool}-${index}`, { pool }, [{ id: ":1", ...SCREEN }])),
			);
			const taken: number[] = [];
			let idleWhileWaiting = 0;
			let left = 200;
			let made = 0;
			const work = async ({ sessionId }: { sessionId: string }) => {
				while (left > 0) {
					// Every other runner may have an answer on its way.
					const othersAreWaiting = () => made - taken.length > 20;
					const waited = othersAreWaiting();
					const jobs = await sync(sessionId, [], 4);
					if (jobs.length === 0 && waited && othersAreWaiting()) idleWhileWaiting += 1;
					expect(jobs.length).toBeLessThanOrEqual(1);
					for (const job of jobs) {
						taken.push(job.id);
						await finish(sessionId, job);
						left -= 1;
					}
				}
			};
			const working = runners.map(work);
			const creating = Array.from({ length: 200 }, async () => {
				const headers = { "idempotency-key": randomUUID() };
				const body = { selector: { labels: { pool } }, stopCondition: "interrupt" };
				const answer = await callPatiently("/v1/jobs", { body, headers });
				expect(answer).toMatchObject({ status: 201 });
				made += 1;
				return answer;
			});
			const [created] = await Promise.all([Promise.all(creating), Promise.all(working)]);
			const ids = created.map(({ body }) => body.id as number);
			expect(taken.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
			expect(idleWhileWaiting).toBe(0);
		},
	);

	const listed = (job: RunnerJob | undefined) => ({ id: job?.id, key: job?.key, cancelSeen: false });
	/** Ends a job that the runner has taken, before anything was captured. */
	const finish = (sessionId: string, job: RunnerJob | undefined) => {
		const at = new Date().toISOString();
		const which = { jobId: job?.id, jobKey: job?.key };
		const report = { type: "failed", code: "display_lost", message: "gone", ...which, seq: 1, at };
		return runnerCall("reports", { sessionId, sentAt: at, clockShiftMs: 0, jobs: [report] });
	};
});
