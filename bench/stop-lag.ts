/**
 * How late each stop condition stops, seen from outside: what the API and the grid said when, what the video holds,
 * and when ffmpeg wrote its last byte (the spooled file, kept by a hard link beyond its time, tells).
 */
import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { startFakeGrid } from "#e2e/fixtures/fake-grid.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#e2e/fixtures/fault-scene.ts";
import type { Job } from "#lib/contract/job.ts";
import { type Figure, ms, p50p99, percentile } from "./figures.ts";
import { inTurns, samples } from "./samples.ts";

const JOBS = samples(50);
/** Few enough for two cores on a small display, and apart, so that they do not all stop at once. */
const PACE = { atOnce: 8, apartMs: 730 };
const FRAMES_PER_SECOND = 15;
const FRAME_MS = 1_000 / FRAMES_PER_SECOND;
const DURATION_SECONDS = 5;
const PROMISED_END_MS = 500;
const PROMISED_IDLE_MS = [5_000, 6_000] as const;
/** To so much do the clocks of two processes and the times of files agree. */
const CLOCK_MS = 5;

type Stage = { scene: Scene; runner: SceneRunner };

export async function run(): Promise<Figure[]> {
	const scene = await openScene();
	try {
		const stage = { scene, runner: await scene.addRunner("bench") };
		return [...(await duration(stage)), ...(await cancel(stage)), ...(await idle(stage))];
	} finally {
		await scene.stop();
	}
}

async function duration(stage: Stage): Promise<Figure[]> {
	const rule = { stopCondition: "duration", stopConditionConfig: { durationSeconds: DURATION_SECONDS } } as const;
	const taken = await inTurns(JOBS, PACE, async () => {
		const { job, lastByteAt } = await record(stage, rule, async () => {});
		const dueAt = instant(job.startedAt) + DURATION_SECONDS * 1_000;
		const { frames } = await stage.scene.video(job);
		return {
			frames: Math.abs(frames - DURATION_SECONDS * FRAMES_PER_SECOND),
			written: lastByteAt - dueAt,
			ended: instant(job.endedAt) - dueAt,
		};
	});
	const off = taken.map(({ frames }) => frames);
	return [
		{
			what: `\`duration\`: length of the video beside ${DURATION_SECONDS} s`,
			measured: `p50 ${percentile(off, 0.5)}, p99 ${percentile(off, 0.99)} frames off, of ${off.length}`,
			against: "the frames that it decodes to",
			promise: "within 1 frame",
			holds: Math.max(...off) <= 1,
		},
		within(
			"`duration`: from the wanted end to ffmpeg's last byte",
			taken.map(({ written }) => written),
			PROMISED_END_MS,
		),
		within(
			"`duration`: from the wanted end to a job that is `completed`",
			taken.map(({ ended }) => ended),
			1_000,
		),
	];
}

async function cancel(stage: Stage): Promise<Figure[]> {
	const taken = await inTurns(JOBS, PACE, async (index) => {
		let answeredAt = 0;
		const { job, lastByteAt } = await record(stage, interrupt, async ({ id }) => {
			// Another place between two frames each time.
			await sleep(1_000 + ((index * 37) % 200));
			await stage.scene.dashboard.api.cancelJob(id);
			answeredAt = Date.now();
		});
		return { frame: instant(job.stoppedAt) - answeredAt, written: lastByteAt - answeredAt };
	});
	return [
		within(
			"`interrupt`: from a cancel's answer to the end of the last frame",
			taken.map(({ frame }) => frame),
			250 + FRAME_MS,
		),
		within(
			"`interrupt`: from a cancel's answer to ffmpeg's last byte",
			taken.map(({ written }) => written),
			PROMISED_END_MS,
		),
	];
}

async function idle(stage: Stage): Promise<Figure[]> {
	const taken = await inTurns(JOBS, PACE, async (index) => {
		const grid = await startFakeGrid();
		try {
			grid.say({ kind: "sessions", count: 1 });
			const rule = { stopCondition: "selenium_idle", stopConditionConfig: { gridUrl: grid.url } } as const;
			const { job, lastByteAt } = await record(stage, rule, async () => {
				while (grid.firstAnswerAt() === null) await sleep(20);
				// Another place between two questions each time.
				await sleep((index * 137) % 500);
				grid.say({ kind: "sessions", count: 0 });
			});
			const zeroAt = Date.now() - (performance.now() - (grid.firstAnswerAt() ?? Number.NaN));
			return { decided: (await decidedAt(stage, job)) - zeroAt, written: lastByteAt - zeroAt };
		} finally {
			await grid.stop();
		}
	});
	const [least, most] = PROMISED_IDLE_MS;
	const figure = (what: string, lags: number[]): Figure => ({
		what: `\`selenium_idle\`: from the grid's first zero to ${what}`,
		measured: `least ${ms(Math.min(...lags))}, ${p50p99(lags)}`,
		against: "–",
		promise: `${least / 1_000}–${most / 1_000} s`,
		holds: Math.min(...lags) >= least - CLOCK_MS && Math.max(...lags) <= most + CLOCK_MS,
	});
	return [
		figure(
			"the answer that decides",
			taken.map(({ decided }) => decided),
		),
		figure(
			"ffmpeg's last byte",
			taken.map(({ written }) => written),
		),
	];
}

/** Records until the rule or `meanwhile` ends it; instants in ms since 1970. */
async function record(
	{ scene, runner }: Stage,
	rule: Parameters<SceneRunner["order"]>[0],
	meanwhile: (job: Job) => Promise<void>,
): Promise<{ job: Job; lastByteAt: number }> {
	const { api } = scene.dashboard;
	const id = await runner.order(rule);
	const begun = await api.waitFor(id, "recording");
	const kept = await runner.keepSpooled(id);
	await meanwhile(begun);
	const job = await api.waitFor(id, "ended");
	if (job.status !== "completed") throw new Error(`job ${id} is ${job.status}: ${job.error?.message}`);
	return { job, lastByteAt: (await stat(kept)).mtimeMs };
}

/** When the answer came that ended the recording, ms since 1970. */
async function decidedAt({ scene }: Stage, job: Job): Promise<number> {
	const events = await scene.dashboard.api.events(job.id);
	const { polls } = events.find(({ type }) => type === "stopped")?.data as { polls?: { at: string }[] };
	return instant(polls?.at(-1)?.at ?? null);
}

function instant(at: string | null): number {
	if (at === null) throw new Error("a job that has ended lacks an instant");
	return Date.parse(at);
}

function within(what: string, lags: number[], promisedMs: number): Figure {
	const holds = percentile(lags, 0.99) < promisedMs;
	return { what, measured: p50p99(lags), against: "–", promise: `p99 < ${Math.round(promisedMs)} ms`, holds };
}
