/** Times in videos and their lengths as text: the same on pages, in messages and in commands. */

/** Sums of frames' durations are off by less than this. */
const TOLERANCE_SECONDS = 0.001;

/** `0:07`, `12:03`, `1:02:03`: a length, rounded to seconds. */
export const formatDuration = (seconds: number): string => format(Math.max(0, Math.round(seconds)), 1);

/** `0:07`: the second that has begun, as players show it. Negative before the first frame. */
export const formatPosition = (seconds: number): string => format(seconds, 1);

/** `0:07.4`: a position with the tenth that has begun. */
export const formatInstant = (seconds: number): string => format(seconds, 10);

function format(seconds: number, perSecond: 1 | 10): string {
	const units = Math.floor((Math.abs(seconds) + TOLERANCE_SECONDS) * perSecond);
	const whole = Math.floor(units / perSecond);
	const two = (value: number) => String(value % 60).padStart(2, "0");
	const [minutes, hours] = [Math.floor(whole / 60), Math.floor(whole / 3_600)];
	const text = hours > 0 ? `${hours}:${two(minutes)}:${two(whole)}` : `${minutes}:${two(whole)}`;
	return `${seconds < 0 && units > 0 ? "−" : ""}${text}${perSecond === 10 ? `.${units % 10}` : ""}`;
}
