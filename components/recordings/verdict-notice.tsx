import type { Verdict } from "@tapedeck/contract/recording.ts";
import { Notice } from "#components/ui/notice.tsx";
import { verdictText } from "./verdict.tsx";

/** Explains the problem of a recording that is black or never changes, with a remedy. Empty for other recordings. */
export function VerdictNotice({ verdict }: { verdict: Verdict | null | undefined }) {
	const text = verdictText(verdict);
	if (text === null) return null;
	return (
		<Notice tone="warn">
			<p className="font-medium">{text.title}</p>
			<p>{text.meaning}</p>
		</Notice>
	);
}
