/**
 * Measures the delay of each stop condition from outside: by the instants of the API and the grid, the length of the
 * video, and the time of ffmpeg's last write (to the spooled file, which a hard link keeps).
 */
import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@tapedeck/contract/job.ts";
import { FRAME_RATES } from "@tapedeck/contract/video-kinds.ts";
import { startFakeGrid } from "#test/grids/fake-grid.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { ms, p50p99, p99Under, percentile, type Result, type Results } from "./figures.ts";
import { inTurns, samples } from "./samples.ts";

const JOBS = samples(50);
/** Few enough for two cores on a small display, and apart, so that they do not all stop at once. */
const PACE = { atOnce: 8, apartMs: 730 };
const FRAME_MS = 1_000 / FRAME_RATES.default;
const DURATION_SECONDS = 5;
const PROMISED_END_MS = 500;
const PROMISED_COMPLETED_MS = 1_000;
/** The requested frame, and the rest of the frame that is being captured. */
const PROMISED_FRAME_MS = Math.round(250 + FRAME_MS);
const PROMISED_IDLE_MS = [5_000, 6_000] as const;
/** The accuracy to which the clocks of two processes and the times of files agree. */
const CLOCK_MS = 5;

const under = (promisedMs: number) => `p99 < ${promisedMs} ms`;
const idlePromise = `${PROMISED_IDLE_MS[0] / 1_000}–${PROMISED_IDLE_MS[1] / 1_000} s`;
/** Instants come from several clocks: a recording that ends on time may seem to have ended earlier. */
const plausible = [-1_000, 60_000] as const;

export const figures = {
	frames: {
		what: `\`duration\`: difference between the length of the video and ${DURATION_SECONDS} s`,
		promise: "within 1 frame",
	},
	written: {
		...{ plausible, what: "`duration`: scheduled end to ffmpeg's last byte" },
		promise: under(PROMISED_END_MS),
	},
	completed: {
		...{ plausible, what: "`duration`: scheduled end to status `completed`" },
		promise: under(PROMISED_COMPLETED_MS),
	},
	cancelFrame: {
		...{ plausible, what: "`interrupt`: cancel response to the end of the last frame" },
		promise: under(PROMISED_FRAME_MS),
	},
	cancelWritten: {
		...{ plausible, what: "`interrupt`: cancel response to ffmpeg's last byte" },
		promise: under(PROMISED_END_MS),
	},
	idleDecided: {
		...{ plausible, what: "`selenium_idle`: first response with zero sessions to the deciding one" },
		promise: idlePromise,
	},
	idleWritten: {
		...{ plausible, what: "`selenium_idle`: first response with zero sessions to ffmpeg's last byte" },
		promise: idlePromise,
	},
};
type Part<K extends keyof typeof figures> = Promise<Pick<Results<typeof figures>, K>>;

type Stage = { scene: Scene; runner: SceneRunner };

export async function run(): Promise<Results<typeof figures>> {
	const scene = await openScene();
	try {
		const stage = { scene, runner: await scene.addRunner("bench") };
		return { ...(await duration(stage)), ...(await cancel(stage)), ...(await idle(stage)) };
	} finally {
		await scene.stop();
	}
}

async function duration(stage: Stage): Part<"frames" | "written" | "completed"> {
	const rule = { stopCondition: "duration", stopConditionConfig: { durationSeconds: DURATION_SECONDS } } as const;
	const taken = await inTurns(JOBS, PACE, async () => {
		const { job, lastByteAt } = await record(stage, rule, async () => {});
		const dueAt = instant(job.startedAt) + DURATION_SECONDS * 1_000;
		const { durationSeconds } = await stage.scene.video(job);
		return {
			frames: Math.round(Math.abs(durationSeconds - DURATION_SECONDS) * FRAME_RATES.default),
			written: lastByteAt - dueAt,
			ended: instant(job.endedAt) - dueAt,
		};
	});
	const off = each(taken, "frames");
	return {
		frames: {
			values: off,
			measured: `p50 ${percentile(off, 0.5)}, p99 ${percentile(off, 0.99)} frames off, of ${off.length}`,
			against: "the requested length",
			holds: Math.max(...off) <= 1,
		},
		written: p99Under(PROMISED_END_MS, each(taken, "written")),
		completed: p99Under(PROMISED_COMPLETED_MS, each(taken, "ended")),
	};
}

async function cancel(stage: Stage): Part<"cancelFrame" | "cancelWritten"> {
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
	return {
		cancelFrame: p99Under(PROMISED_FRAME_MS, each(taken, "frame")),
		cancelWritten: p99Under(PROMISED_END_MS, each(taken, "written")),
	};
}

async function idle(stage: Stage): Part<"idleDecided" | "idleWritten"> {
	const taken = await inTurns(JOBS, PACE, async (index) => {
		const grid = await startFakeGrid();
		try {
			grid.respondWith({ kind: "sessions", count: 1 });
			const rule = { stopCondition: "selenium_idle", stopConditionConfig: { gridUrl: grid.url } } as const;
			const { job, lastByteAt } = await record(stage, rule, async () => {
				while (grid.firstAnswerAt() === null) await sleep(20);
				// Another place between two questions each time.
				await sleep((index * 137) % 500);
				grid.respondWith({ kind: "sessions", count: 0 });
			});
			const zeroAt = Date.now() - (performance.now() - (grid.firstAnswerAt() ?? Number.NaN));
			return { decided: (await decidedAt(stage, job)) - zeroAt, written: lastByteAt - zeroAt };
		} finally {
			await grid.stop();
		}
	});
	const [least, most] = PROMISED_IDLE_MS;
	const within = (lags: number[]): Result => ({
		values: lags,
		measured: `least ${ms(Math.min(...lags))}, ${p50p99(lags)}`,
		holds: Math.min(...lags) >= least - CLOCK_MS && Math.max(...lags) <= most + CLOCK_MS,
	});
	return {
		idleDecided: within(each(taken, "decided")),
		idleWritten: within(each(taken, "written")),
	};
}

/** The same number of every sample. */
const each = <K extends string>(taken: readonly Record<K, number>[], key: K): number[] =>
	taken.map((sample) => sample[key]);

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
