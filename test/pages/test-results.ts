/** Jobs with test results, as reporters make them: for pages that show these. */
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import type { ScriptedRunner } from "../runners/scripted-runner.ts";
import type { Dashboard } from "../stack.ts";

export interface SentTest {
	test: string;
	outcome: "passed" | "failed" | "error" | "skipped";
	message?: string;
	project?: string;
	attempt?: number;
	/** Seconds of the video at which it begins and ends; 0 and 1 if left out. */
	at?: readonly [from: number, to: number];
}

interface Wanted {
	labels?: Record<string, string>;
	/** A whole MP4 file; without one, nothing was recorded. */
	video: Buffer;
	tests: readonly SentTest[];
}

/** A job that recorded this video and reported these tests. @returns its id, and its results in the order of `tests`. */
export async function recordTests(
	{ api }: Pick<Dashboard, "api">,
	runner: ScriptedRunner,
	name: string,
	{ labels = {}, video, tests }: Wanted,
): Promise<{ jobId: number; recordingId: number; results: TestResult[] }> {
	const jobId = await runner.record(name);
	await api.call("PATCH", `/v1/jobs/${jobId}`, { labels });
	await runner.send(jobId, 0, video);
	const { startedAt } = await api.readJob(jobId);
	const begin = Date.parse(startedAt ?? "");
	const sent = tests.map(({ at: [from, to] = [0, 1], ...result }, index) => ({
		...{ key: String(index), ...result },
		startedAt: new Date(begin + from * 1_000).toISOString(),
		endedAt: new Date(begin + to * 1_000).toISOString(),
	}));
	const { data } = await api.call<{ data: TestResult[] }>("POST", `/v1/jobs/${jobId}/tests`, sent);
	await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	await runner.send(jobId, video.length, Buffer.alloc(0), video.length);
	const { recording } = await api.waitFor(jobId, "playable");
	return { jobId, recordingId: recording?.id ?? 0, results: data };
}
