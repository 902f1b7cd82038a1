/**
 * Blob reports that are merged later, with this reporter: their results are sent then, unless the shards have sent them. The metadata
 * of a report says so, because Playwright writes a blob's metadata when the run ends.
 */
import type { FullConfig } from "playwright/types/testReporter";

const NAME = "tapedeck";

/** @param url the address of the results of the run; null if they are sent nowhere. It is read when a report is written. */
export function markAsSent({ metadata }: FullConfig, url: () => string | null): void {
	Object.defineProperty(metadata, NAME, { enumerable: true, configurable: true, get: () => url() ?? undefined });
}

/** Whether a shard of a merged report has sent its results. */
export const areSent = ({ metadata }: FullConfig): boolean => metadata[NAME] !== undefined;
