/** The tracks of a simulated runner's recording: written to files and sent from there by what a real runner has for it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DashboardClock } from "#clients/typescript/src/dashboard-clock.ts";
import { silentLog } from "#runner/base/log.ts";
import { DashboardClient } from "#runner/dashboard/client.ts";
import { TrackWriter } from "#runner/spool/track-writer.ts";
import { TrackUpload } from "#runner/upload/track-upload.ts";
import type { SimulatedRecorder } from "#test/runners/simulated-recorder.ts";
import type { LoadOrders, LoadTarget } from "./fleet-load.ts";
import { trackLine } from "./track-lines.ts";

const ADDED_EVERY_MS = 100;

/**
 * Begins to write and to send lines.
 * @returns a function that ends it, and resolves with how many lines were written once all are sent.
 */
export async function startTracks(
	{ port, runnerToken }: LoadTarget,
	runner: SimulatedRecorder,
	{ jobId, names, linesPerSecond }: LoadOrders["tracks"]["order"],
): Promise<() => Promise<number>> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	const client = new DashboardClient({ url: `http://127.0.0.1:${port}`, token: runnerToken });
	client.sessionId = runner.session.sessionId;
	const source = { folder, label: `job ${jobId}`, jobId, jobKey: runner.keyOf(jobId) };
	const upload = new TrackUpload({ client, clock: new DashboardClock() }, source, silentLog);
	const writers = names.map((name) => new TrackWriter(folder, name));
	const startedAt = Date.now();
	let added = 0;
	const timer = setInterval(() => {
		for (; added < ((Date.now() - startedAt) / 1_000) * linesPerSecond; added += 1) {
			const line = trackLine(startedAt + (added / linesPerSecond) * 1_000, added);
			for (const writer of writers) writer.add(line);
		}
	}, ADDED_EVERY_MS);
	const over = new AbortController();
	const sending = upload.whileRecording(over.signal);
	return async () => {
		clearInterval(timer);
		for (const writer of writers) writer.close();
		over.abort();
		await sending;
		await upload.sendAll(AbortSignal.timeout(10_000));
		client.close();
		await rm(folder, { recursive: true, force: true });
		return added * names.length;
	};
}
