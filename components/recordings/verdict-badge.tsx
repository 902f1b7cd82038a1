import { clsx } from "clsx";
import { EyeOff, Snowflake } from "lucide-react";
import type { Verdict } from "#lib/contract/recording.ts";
import { verdictWords } from "./verdict-words.ts";

/**
 * Says of a recording that its picture is black or never changes; nothing of the others.
 * @param props.narrow shows the icon alone where a table has no room for the words.
 */
export function VerdictBadge({ verdict, narrow = false }: { verdict: Verdict | null | undefined; narrow?: boolean }) {
	const words = verdictWords(verdict);
	if (words === null) return null;
	const Icon = verdict === "black" ? EyeOff : Snowflake;
	return (
		<span
			title={words.meaning}
			className="inline-flex shrink-0 items-center gap-1 rounded-full bg-soft-warn px-2 py-0.5 text-xs font-medium whitespace-nowrap text-warn"
		>
			<Icon aria-hidden className="size-3" />
			<span className={clsx(narrow && "md:max-[1180px]:sr-only")}>{words.title}</span>
		</span>
	);
}
