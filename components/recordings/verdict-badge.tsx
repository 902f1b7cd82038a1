import { clsx } from "clsx";
import { EyeOff, Snowflake } from "lucide-react";
import type { Verdict } from "#lib/contract/recording.ts";
import { verdictWords } from "./verdict-words.ts";

/** Says of a recording that its picture is black or never changes; nothing of the others. */
export function VerdictBadge({ verdict, className }: { verdict: Verdict | null | undefined; className?: string }) {
	const words = verdictWords(verdict);
	if (words === null) return null;
	const Icon = verdict === "black" ? EyeOff : Snowflake;
	return (
		<span
			title={words.meaning}
			className={clsx(
				"inline-flex shrink-0 items-center gap-1 rounded-full bg-soft-warn px-2 py-0.5 text-xs font-medium whitespace-nowrap text-warn",
				className,
			)}
		>
			<Icon aria-hidden className="size-3" /> {words.title}
		</span>
	);
}
