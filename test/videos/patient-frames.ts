import type { FrameGrabber } from "#lib/recordings/pictures/grab-frame.ts";

/**
 * Gives each frame the time that ffmpeg needs on a busy machine, where a process with the lowest priority gets little
 * processor time. After the usual 10 s there would be no picture, and none for requests in the next minute.
 */
export function makePatient(grabber: FrameGrabber): void {
	const [grab, grabGrey] = [grabber.grab.bind(grabber), grabber.grabGrey.bind(grabber)];
	grabber.grab = (video, options) => grab(video, { timeoutMs: 100_000, ...options });
	grabber.grabGrey = (video, options) => grabGrey(video, { timeoutMs: 100_000, ...options });
}
