import type { Verdict } from "@tapedeck/contract/recording.ts";
import { clsx } from "clsx";
import { EyeOff, Snowflake } from "lucide-react";

interface VerdictText {
	title: string;
	/** The meaning of the verdict, and advice. */
	meaning: string;
}

const TEXTS: Record<Exclude<Verdict, "ok">, VerdictText> = {
	black: {
		title: "Black video",
		meaning: "The screen was a single color throughout. Check that the test used this display.",
	},
	frozen: {
		title: "Frozen video",
		meaning: "The screen never changed. Check that the test ran and used this display.",
	},
};

/** The text for a verdict; null if none is needed. */
export const verdictText = (verdict: Verdict | null | undefined): VerdictText | null =>
	verdict == null || verdict === "ok" ? null : TEXTS[verdict];

/**
 * Marks a recording that is black or never changes; shows nothing for others.
 * @param props.narrow shows the icon alone where a table is too narrow for the words.
 */
export function VerdictBadge({ verdict, narrow = false }: { verdict: Verdict | null | undefined; narrow?: boolean }) {
	const text = verdictText(verdict);
	if (text === null) return null;
	const Icon = verdict === "black" ? EyeOff : Snowflake;
	return (
		<span
			title={text.meaning}
			className="inline-flex shrink-0 items-center gap-1 rounded-full bg-soft-warn px-2 py-0.5 text-xs font-medium whitespace-nowrap text-warn"
		>
			<Icon aria-hidden className="size-3" />
			<span className={clsx(narrow && "md:max-[1440px]:sr-only")}>{text.title}</span>
		</span>
	);
}
