/**
 * Delivers a recording (video, stills, tracks, reports) to the dashboard, during and after capture. Ends when the dashboard has
 * confirmed everything and the spool is deleted, or when the runner exits. Local errors, such as a failing disk, are
 * retried.
 */
import type { ReceivedAutoJobAnswer } from "@tapedeck/contract/runner-protocol.ts";
import { errorMessage, FatalError } from "../base/fault.ts";
import type { RunnerLog } from "../base/log.ts";
import { aborted, Backoff, pause } from "../base/wait.ts";
import { CallFailedError } from "../dashboard/client.ts";
import type { Connection } from "../dashboard/connection.ts";
import type { Reporter } from "../dashboard/reporter.ts";
import { captureFiles } from "../spool/capture-files.ts";
import type { JobSpool } from "../spool/spool.ts";
import type { RecordedVideo } from "../video/recorded-video.ts";
import type { Timeline } from "../video/timeline.ts";
import { PosterUpload } from "./poster-upload.ts";
import { TrackUpload } from "./track-upload.ts";
import { upload } from "./uploader.ts";

const POLL_MS = 100;
const REMIND_MS = 60_000;

export interface DeliveryRules {
	/** A disk that has been unreadable for this long may have lost the recording, which is then reported. */
	unreadableMs: number;
	/** The longest pause between two attempts. */
	maxRetryMs: number;
}
export const DELIVERY_RULES: DeliveryRules = { unreadableMs: 10_000, maxRetryMs: 10_000 };

/** Shared by all deliveries of a runner. */
export interface DeliveryTools {
	connection: Connection;
	reporter: Reporter;
	log: RunnerLog;
	/** Aborted when the runner exits. Data that is not uploaded stays in the spool. */
	closed: AbortSignal;
	/** Restarts the long poll, so that it carries the new list of jobs. */
	pollAgain(): void;
	deliveryRules: DeliveryRules;
}

export interface DeliveryHooks {
	/** Aborted when capture is over. */
	over: AbortSignal;
	/** Aborted when the job was deleted. */
	discarded: AbortSignal;
	/** Aborted when the recording is kept for another dashboard. */
	setAside: AbortSignal;
	/** The dashboard cancelled a job that the runner had started by itself. */
	onCancelled(): void;
	/** The recording has been unreadable for longer than the rules allow. */
	broken(error: unknown): void;
}

/** @throws FatalError. */
export async function deliver(
	tools: DeliveryTools,
	spool: JobSpool,
	timeline: Timeline,
	hooks: DeliveryHooks,
): Promise<void> {
	const over = AbortSignal.any([tools.closed, hooks.discarded, hooks.setAside]);
	const backoff = new Backoff(tools.deliveryRules.maxRetryMs);
	let [since, confirmed, remindAt] = [0, -1, 0];
	for (;;) {
		try {
			return await attempt(tools, spool, timeline, hooks, over);
		} catch (error) {
			if (error instanceof FatalError) throw error;
			if (tools.closed.aborted) return;
			const now = performance.now();
			if (spool.confirmedBytes !== confirmed) {
				// The upload has progressed since the last error, so this is a new one.
				[since, confirmed] = [now, spool.confirmedBytes];
				backoff.reset();
			}
			if (now - since > tools.deliveryRules.unreadableMs) hooks.broken(error);
			if (now > remindAt) {
				tools.log.error(`${spool.label} could not be uploaded: ${errorMessage(error)}. Retrying.`);
				remindAt = now + REMIND_MS;
			}
			await pause(backoff.nextMs(), tools.closed);
		}
	}
}

async function attempt(
	tools: DeliveryTools,
	spool: JobSpool,
	timeline: Timeline,
	hooks: DeliveryHooks,
	over: AbortSignal,
): Promise<void> {
	let delivered = false;
	while (!delivered && !over.aborted) delivered = await deliverToJob(tools, spool, timeline, hooks, over);
	if (hooks.discarded.aborted || delivered) await spool.remove();
}

/**
 * Delivers to the recording's current job.
 * @returns whether the dashboard has confirmed everything; false also when it has forgotten the job in the meantime.
 */
async function deliverToJob(
	tools: DeliveryTools,
	spool: JobSpool,
	timeline: Timeline,
	hooks: DeliveryHooks,
	over: AbortSignal,
): Promise<boolean> {
	const cancelled = AbortSignal.any([over, spool.forgotten]);
	await Promise.race([spool.released, aborted(cancelled)]);
	// The recording may belong to another dashboard: wait until the runner has signed in.
	while (!tools.connection.owns(spool.manifest.dashboard) && !cancelled.aborted) await pause(POLL_MS, cancelled);
	const jobId = cancelled.aborted ? null : (spool.jobId ?? (await obtainId(tools, spool, hooks, cancelled)));
	if (jobId !== null) {
		const source = {
			file: captureFiles(spool.folder, 1).poster,
			frameSeconds: 1 / spool.manifest.video.framesPerSecond,
			secondsAt: (instant: number) => timeline.secondsAt(instant),
		};
		const poster = new PosterUpload(tools.connection, source, { id: jobId, key: spool.manifest.key });
		const beside = { folder: spool.folder, label: spool.label, jobId, jobKey: spool.manifest.key };
		const tracks = new TrackUpload(tools.connection, beside, tools.log);
		const failed = new AbortController();
		const untilOver = AbortSignal.any([hooks.over, cancelled, failed.signal]);
		const posters = poster.whileRecording(untilOver);
		const lines = tracks.whileRecording(untilOver);
		let delivered: boolean;
		try {
			delivered = await deliverVideo(tools, spool, timeline.video, jobId, hooks.over, cancelled);
		} catch (error) {
			failed.abort();
			throw error;
		}
		await Promise.all([posters, lines]);
		if (delivered && !cancelled.aborted) await poster.send(cancelled);
		if (delivered) await waitUntilSettled(spool, cancelled);
		if (delivered) await Promise.race([spool.concluded, aborted(cancelled)]);
		// A command that has ended has written its last line.
		if (delivered) await tracks.sendAll(cancelled);
		await tools.reporter.flushed(spool, cancelled);
	}
	// A dashboard that was restored from a backup may have requested the whole upload again while the last reports were
	// sent.
	return jobId !== null && !cancelled.aborted && spool.manifest.upload?.complete !== false;
}

/** @returns whether nothing of the video is left to send. */
async function deliverVideo(
	tools: DeliveryTools,
	spool: JobSpool,
	video: RecordedVideo,
	jobId: number,
	over: AbortSignal,
	cancelled: AbortSignal,
): Promise<boolean> {
	// Send nothing before the first frame: a job without frames has no recording.
	while (!video.hasFrames && !video.sealed && !cancelled.aborted) {
		await video.refresh();
		if (!video.hasFrames) await pause(POLL_MS, over.aborted ? cancelled : AbortSignal.any([over, cancelled]));
	}
	if (!video.hasFrames || spool.manifest.upload?.complete) return !cancelled.aborted;
	const uploaded = await upload(
		{
			label: spool.label,
			jobId,
			jobKey: spool.manifest.key,
			name: spool.manifest.name,
			source: video,
			uploadId: spool.manifest.upload?.id ?? null,
			begun: (id) =>
				spool.update((manifest) => {
					manifest.upload = id === null ? null : { id, complete: false };
				}),
			confirmed: (bytes) => {
				spool.confirmedBytes = bytes;
			},
		},
		tools.connection,
		tools.log,
		cancelled,
	);
	if (!uploaded) return false;
	await spool.update((manifest) => {
		if (manifest.upload) manifest.upload.complete = true;
	});
	tools.log.info(`${spool.label}: the video is uploaded, ${(video.available / 1e6).toFixed(1)} MB.`);
	return true;
}

/** The outcome is saved a moment after the video is sealed. */
async function waitUntilSettled(spool: JobSpool, cancelled: AbortSignal): Promise<void> {
	while (!spool.manifest.settled && !cancelled.aborted) await pause(20, cancelled);
}

/** Asks the dashboard to create the job of a recording that the runner started by itself. */
async function obtainId(
	tools: DeliveryTools,
	spool: JobSpool,
	hooks: DeliveryHooks,
	cancelled: AbortSignal,
): Promise<number | null> {
	const backoff = new Backoff(30_000);
	while (!cancelled.aborted) {
		const session = await tools.connection.session();
		const { creation } = spool;
		if (cancelled.aborted) return null;
		try {
			const sentAt = new Date().toISOString();
			const { client, clock } = tools.connection;
			const call = { ...creation, sessionId: session, sentAt, clockShiftMs: clock.shiftMs };
			const job = await client.createAutoJob(call);
			return await registered(tools, spool, hooks, job);
		} catch (error) {
			if (cancelled.aborted) return null;
			tools.connection.handleCallError(error, session);
			if (error instanceof CallFailedError && error.status === 422) {
				tools.log.error(
					`${spool.label}: the dashboard refused to create its job: ${error.message} The video stays in the spool.`,
				);
			}
			await pause(backoff.nextMs(), cancelled);
		}
	}
	return null;
}

async function registered(
	tools: DeliveryTools,
	spool: JobSpool,
	hooks: DeliveryHooks,
	job: ReceivedAutoJobAnswer,
): Promise<number> {
	await spool.update((manifest) => {
		manifest.jobId = job.id;
		manifest.name = job.name;
		manifest.key = job.key;
		// The organization's, if the runner has none.
		manifest.maxDurationSeconds ??= job.maxDurationSeconds ?? null;
		manifest.dashboard = tools.connection.origin;
	});
	const { formerId } = spool.manifest;
	if (formerId === null) tools.log.info(`The recording started on this runner is job ${job.id}, "${job.name}".`);
	else tools.log.info(`Former job ${formerId} is recreated in the dashboard as job ${job.id}, "${job.name}".`);
	tools.reporter.kick();
	tools.pollAgain();
	if (job.cancelRequested) hooks.onCancelled();
	return job.id;
}
