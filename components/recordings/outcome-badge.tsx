import { OUTCOMES, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { clsx } from "clsx";
import { CircleCheck, CircleSlash2, CircleX, type LucideIcon, OctagonAlert } from "lucide-react";

const LOOKS: Record<Outcome, { name: string; Icon: LucideIcon; tone: string; soft: string }> = {
	passed: { name: "Passed", Icon: CircleCheck, tone: "text-ok", soft: "bg-soft-ok" },
	failed: { name: "Failed test", Icon: CircleX, tone: "text-danger", soft: "bg-soft-danger" },
	error: { name: "Test error", Icon: OctagonAlert, tone: "text-danger", soft: "bg-soft-danger" },
	skipped: { name: "Skipped", Icon: CircleSlash2, tone: "text-muted", soft: "bg-inset" },
};

export const outcomeName = (outcome: Outcome): string => LOOKS[outcome].name;

export function OutcomeIcon({ outcome, className }: { outcome: Outcome; className?: string }) {
	const { Icon, tone } = LOOKS[outcome];
	return <Icon aria-hidden className={clsx("size-4 shrink-0", tone, className)} />;
}

/** Icon, name and colour of an outcome, in a line of text. */
export const OutcomeMark = ({ outcome, className }: { outcome: Outcome; className?: string }) => (
	<span className={clsx("inline-flex items-center gap-1.5 align-middle text-sm whitespace-nowrap", className)}>
		<OutcomeIcon outcome={outcome} />
		{LOOKS[outcome].name}
	</span>
);

/** Value and name of every outcome, for a choice. */
export const OUTCOME_OPTIONS: readonly (readonly [Outcome, string])[] = OUTCOMES.map((one) => [one, LOOKS[one].name]);

/** The recorded test's outcome. Empty while no outcome is set. */
export function OutcomeBadge({ outcome }: { outcome: Outcome | null }) {
	if (outcome === null) return null;
	const { name, Icon, tone, soft } = LOOKS[outcome];
	return (
		<span
			title={`Outcome: ${outcome}`}
			className={clsx(
				"inline-flex shrink-0 items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap",
				tone,
				soft,
			)}
		>
			<Icon aria-hidden className="size-3" />
			{name}
		</span>
	);
}
