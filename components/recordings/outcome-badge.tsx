import { clsx } from "clsx";
import { CircleCheck, CircleSlash2, CircleX, type LucideIcon, OctagonAlert } from "lucide-react";
import { OUTCOMES, type Outcome } from "#lib/contract/recording-kinds.ts";

const LOOKS: Record<Outcome, { name: string; Icon: LucideIcon; look: string }> = {
	passed: { name: "Passed", Icon: CircleCheck, look: "bg-soft-ok text-ok" },
	failed: { name: "Failed test", Icon: CircleX, look: "bg-soft-danger text-danger" },
	error: { name: "Test error", Icon: OctagonAlert, look: "bg-soft-danger text-danger" },
	skipped: { name: "Skipped", Icon: CircleSlash2, look: "bg-inset text-muted" },
};

/** Value and name of every outcome, for a choice. */
export const OUTCOME_OPTIONS: readonly (readonly [Outcome, string])[] = OUTCOMES.map((one) => [one, LOOKS[one].name]);

/**
 * How the recorded test ended; nothing while nobody has said.
 * @param props.narrow shows the icon alone where a table is too narrow for the words.
 */
export function OutcomeBadge({ outcome, narrow = false }: { outcome: Outcome | null; narrow?: boolean }) {
	if (outcome === null) return null;
	const { name, Icon, look } = LOOKS[outcome];
	return (
		<span
			title={`Outcome: ${outcome}`}
			className={clsx(
				"inline-flex shrink-0 items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap",
				look,
			)}
		>
			<Icon aria-hidden className="size-3" />
			<span className={clsx(narrow && "md:max-[1440px]:sr-only")}>{name}</span>
		</span>
	);
}
