/** Times of test results in texts: a time that is not exact says "about", and no link leads to its second. */
import type { TestResult } from "./test-result.ts";
import { formatPosition } from "./video-time.ts";

/** For example failed at about 1:05. Null if the moment of the failure is exact, or no video shows it. */
export function aboutFailure({
	isApproximate,
	failureOffsetSeconds,
}: Pick<TestResult, "isApproximate" | "failureOffsetSeconds">): string | null {
	if (!isApproximate || failureOffsetSeconds === null) return null;
	return `failed at about ${formatPosition(Math.max(0, failureOffsetSeconds))}`;
}

/** `time` with "about" before it if the result's times are not exact. */
export const aboutTime = ({ isApproximate }: Pick<TestResult, "isApproximate">, time: string): string =>
	isApproximate ? `about ${time}` : time;
