import type { PrivateStretch } from "@tapedeck/contract/privacy.ts";
import { formatPosition } from "@tapedeck/contract/video-time.ts";

/** @returns the private part of a video at a second, such as `Private, 0:08–0:16`; null where it is not private. */
export function privateWords(stretches: readonly PrivateStretch[], seconds: number): string | null {
	const stretch = stretches.find(({ from, to }) => seconds >= from && (to === null || seconds < to));
	if (stretch === undefined) return null;
	const { from, to } = stretch;
	return to === null
		? `Private since ${formatPosition(from)}`
		: `Private, ${formatPosition(from)}–${formatPosition(to)}`;
}
