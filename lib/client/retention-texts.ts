/** Between the retention form, whose fields hold text, and the policy that the API takes. */
import type { RetentionPolicy } from "../contract/organization.ts";

export interface RetentionTexts {
	days: string;
	diskPercent: string;
	gigabytes: string;
}

const GB = 1_000_000_000;

const textOf = (value: number | null): string => (value === null ? "" : String(value));
/** Empty means no limit. */
const numberOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

export const textsOf = (policy: RetentionPolicy): RetentionTexts => ({
	days: textOf(policy.maxAgeDays),
	diskPercent: textOf(policy.maxDiskPercent),
	gigabytes: textOf(policy.maxBytes === null ? null : policy.maxBytes / GB),
});

export function policyOf(texts: RetentionTexts): RetentionPolicy {
	const gigabytes = numberOf(texts.gigabytes);
	return {
		maxAgeDays: numberOf(texts.days),
		maxDiskPercent: numberOf(texts.diskPercent),
		maxBytes: gigabytes === null ? null : Math.round(gigabytes * GB),
	};
}
