/**
 * Brings a recording to the dashboard while it is made and after: the video, the poster, the reports. Ends
 * when the dashboard has confirmed everything and the spool is gone, or when the runner goes. An error of this
 * machine, such as of its disk, ends nothing: it is tried again.
 */
import type { ReceivedAutoJobAnswer } from "#lib/contract/runner-protocol.ts";
import { CallFailedError } from "./dashboard/client.ts";
import { captureFiles } from "./capture/ffmpeg.ts";
import { FatalError, wordsOf } from "./log.ts";
import { PosterUpload } from "./upload/poster-upload.ts";
import type { RecordedVideo } from "./video/recorded-video.ts";
import type { Services } from "./services.ts";
import type { JobSpool } from "./spool.ts";
import type { Timeline } from "./video/timeline.ts";
import { upload } from "./upload/uploader.ts";
import { Backoff, pause } from "./base/wait.ts";

const POLL_MS = 100;
const MAX_RETRY_MS = 10_000;
const REMIND_MS = 60_000;
/** A disk that cannot be read for that long may not give back what is recorded on it: that has to be said. */
const BROKEN_MS = 10_000;

export interface DeliveryTurns {
	/** Aborted when capture is over. */
	over: AbortSignal;
	/** Aborted when nothing of the job is wanted any more. */
	disowned: AbortSignal;
	/** Aborted when it is kept for another dashboard. */
	setAside: AbortSignal;
	/** The dashboard wants an auto-record job that it had not known to end. */
	cancelled(): void;
	/** The recording cannot be read, and has not been readable for a while. */
	broken(error: unknown): void;
}

/** @throws FatalError. */
export async function deliver(
	services: Services,
	spool: JobSpool,
	timeline: Timeline,
	turns: DeliveryTurns,
): Promise<void> {
	const over = AbortSignal.any([services.closed, turns.disowned, turns.setAside]);
	const backoff = new Backoff(MAX_RETRY_MS);
	let [since, confirmed, remindAt] = [0, -1, 0];
	for (;;) {
		try {
			return await attempt(services, spool, timeline, turns, over);
		} catch (error) {
			if (error instanceof FatalError) throw error;
			if (services.closed.aborted) return;
			const now = performance.now();
			if (spool.confirmedBytes !== confirmed) {
				// It has gone on since the last error: this is another one.
				[since, confirmed] = [now, spool.confirmedBytes];
				backoff.reset();
			}
			if (now - since > BROKEN_MS) turns.broken(error);
			if (now > remindAt) {
				services.log.error(`${spool.label} cannot be delivered now: ${wordsOf(error)}. Trying again until it can.`);
				remindAt = now + REMIND_MS;
			}
			await pause(backoff.nextMs(), services.closed);
		}
	}
}

async function attempt(
	services: Services,
	spool: JobSpool,
	timeline: Timeline,
	turns: DeliveryTurns,
	over: AbortSignal,
): Promise<void> {
	let delivered = false;
	while (!delivered && !over.aborted) delivered = await deliverToJob(services, spool, timeline, turns, over);
	if (turns.disowned.aborted || delivered) await spool.remove();
}

/**
 * Delivers to the job that the recording has now.
 * @returns whether the dashboard has confirmed everything; false also when it has forgotten the job meanwhile.
 */
async function deliverToJob(
	services: Services,
	spool: JobSpool,
	timeline: Timeline,
	turns: DeliveryTurns,
	over: AbortSignal,
): Promise<boolean> {
	const enough = AbortSignal.any([over, spool.forgotten]);
	// One that may be another dashboard's is sent when this one has said that it is its own.
	while (!services.connection.owns(spool.manifest) && !enough.aborted) await pause(POLL_MS, enough);
	const jobId = enough.aborted ? null : (spool.jobId ?? (await obtainId(services, spool, turns, enough)));
	if (jobId !== null) {
		const source = {
			file: captureFiles(spool.folder, 1).poster,
			secondsAt: (instant: number) => timeline.secondsAt(instant),
		};
		const poster = new PosterUpload(services.connection, source, { id: jobId, key: spool.manifest.key });
		const failed = new AbortController();
		const posters = poster.whileRecording(AbortSignal.any([turns.over, enough, failed.signal]));
		let delivered: boolean;
		try {
			delivered = await deliverVideo(services, spool, timeline.video, jobId, turns.over, enough);
		} catch (error) {
			failed.abort();
			throw error;
		}
		await posters;
		if (delivered && !enough.aborted) await poster.send(enough);
		if (delivered) await untilSettled(spool, enough);
		await services.reporter.flushed(spool, enough);
	}
	// While the last reports were sent, a dashboard that went back in time may have asked for everything again.
	return jobId !== null && !enough.aborted && spool.manifest.upload?.complete !== false;
}

/** @returns whether nothing of the video is left to send. */
async function deliverVideo(
	services: Services,
	spool: JobSpool,
	video: RecordedVideo,
	jobId: number,
	over: AbortSignal,
	enough: AbortSignal,
): Promise<boolean> {
	// Nothing is sent before there is a picture: a job without one leaves no recording.
	while (!video.hasFrames && !video.sealed && !enough.aborted) {
		await video.refresh();
		if (!video.hasFrames) await pause(POLL_MS, over.aborted ? enough : AbortSignal.any([over, enough]));
	}
	if (!video.hasFrames || spool.manifest.upload?.complete) return !enough.aborted;
	const whole = await upload(
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
		services.connection,
		services.log,
		enough,
	);
	if (!whole) return false;
	await spool.update((manifest) => {
		if (manifest.upload) manifest.upload.complete = true;
	});
	services.log.info(`${spool.label}: the video is with the dashboard, ${(video.available / 1e6).toFixed(1)} MB.`);
	return true;
}

/** The outcome is written down a moment after the video is sealed. */
async function untilSettled(spool: JobSpool, enough: AbortSignal): Promise<void> {
	while (!spool.manifest.settled && !enough.aborted) await pause(20, enough);
}

/** Asks the dashboard for the job of a recording that the runner began by itself. */
async function obtainId(
	services: Services,
	spool: JobSpool,
	turns: DeliveryTurns,
	enough: AbortSignal,
): Promise<number | null> {
	const backoff = new Backoff(30_000);
	while (!enough.aborted) {
		const session = await services.connection.session();
		const { creation } = spool;
		if (creation === null) throw new Error("A recording without a job has no key to ask for one.");
		if (enough.aborted) return null;
		try {
			const sentAt = new Date().toISOString();
			const { client, clock } = services.connection;
			const call = { ...creation, sessionId: session, sentAt, clockShiftMs: clock.shiftMs };
			const job = await client.createAutoJob(call);
			return await known(services, spool, turns, job);
		} catch (error) {
			if (enough.aborted) return null;
			services.connection.judge(error, session);
			if (error instanceof CallFailedError && error.status === 422) {
				services.log.error(
					`${spool.label}: the dashboard refuses its job: ${error.message} The video stays in the spool.`,
				);
			}
			await pause(backoff.nextMs(), enough);
		}
	}
	return null;
}

async function known(
	services: Services,
	spool: JobSpool,
	turns: DeliveryTurns,
	job: ReceivedAutoJobAnswer,
): Promise<number> {
	await spool.update((manifest) => {
		manifest.jobId = job.id;
		manifest.name = job.name;
		manifest.key = job.key ?? null;
		manifest.dashboard = services.connection.origin;
	});
	const { formerId } = spool.manifest;
	if (formerId === null) services.log.info(`The recording that began by itself is job ${job.id}, "${job.name}".`);
	else services.log.info(`What was job ${formerId} is back in the dashboard as job ${job.id}, "${job.name}".`);
	services.reporter.kick();
	services.listGrew();
	if (job.cancelRequested) turns.cancelled();
	return job.id;
}
