import type { Verdict } from "@tapedeck/contract/recording.ts";
import { Notice } from "#components/ui/notice.tsx";
import { verdictText } from "./verdict.tsx";

/** Says what is wrong with a recording that is black or never changes, and what to do; shows nothing for others. */
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
