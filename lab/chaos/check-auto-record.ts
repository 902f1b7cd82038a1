/** Whether auto-record recorded whenever its runner ran. */
import { breakingReason } from "./check-outcome.ts";
import { type Span, uncovered } from "./check-recording.ts";
import { AUTO_RECORD_AGAIN, BUSY, CRASH_BEFORE } from "./rules.ts";
import { type Fault, type JobRecord, sinceEpoch } from "./run-record.ts";

/**
 * @param jobs those of auto-record.
 * @param faults those of its runner.
 * @returns one sentence for each gap between two recordings that no fault explains.
 */
export function checkAutoRecord(jobs: readonly JobRecord[], faults: readonly Fault[], epoch: number): string[] {
	const recorded = jobs
		.flatMap(({ id, final }): (Span & { id: number })[] => {
			const from = sinceEpoch(epoch, final?.startedAt ?? null);
			const to = sinceEpoch(epoch, final?.stoppedAt ?? null);
			return from === null || to === null ? [] : [{ id, from, to }];
		})
		.sort((a, b) => a.from - b.from);
	if (recorded.length === 0) return ["auto-record recorded nothing"];
	const allowed = faults
		.filter((fault) => breakingReason({ ...fault, struck: true }) !== null)
		.map(({ from, to }): Span => ({ from: from - CRASH_BEFORE, to: to + AUTO_RECORD_AGAIN + BUSY }));
	return recorded.slice(1).flatMap((next, index) => {
		const before = recorded[index] ?? next;
		const gap = { from: before.to, to: next.from };
		if (gap.to - gap.from <= BUSY || uncovered(gap, allowed) <= BUSY) return [];
		const missing = ((gap.to - gap.from) / 1_000).toFixed(2);
		return [`auto-record recorded nothing for ${missing} s between jobs ${before.id} and ${next.id}`];
	});
}
