import type { Build } from "@tapedeck/contract/build.ts";
import { steadyPasses } from "@tapedeck/contract/build-summary.ts";
import {
	CircleCheck,
	CircleDashed,
	CircleDot,
	CircleSlash2,
	CircleX,
	EyeOff,
	OctagonAlert,
	Shuffle,
} from "lucide-react";
import { counted } from "#lib/client/format.ts";

const of = (words: string) => (count: number) => counted(count, words, words);
/** Counts that need attention come first. */
const KINDS = [
	{ key: "failed", text: of("failed"), Icon: CircleX, look: "bg-soft-danger text-danger" },
	{
		key: "error",
		text: (n: number) => counted(n, "error", "errors"),
		Icon: OctagonAlert,
		look: "bg-soft-danger text-danger",
	},
	{ key: "flaky", text: of("flaky"), Icon: Shuffle, look: "bg-soft-warn text-warn" },
	{ key: "passed", text: of("passed"), Icon: CircleCheck, look: "bg-soft-ok text-ok" },
	{ key: "skipped", text: of("skipped"), Icon: CircleSlash2, look: "bg-inset text-muted" },
	{ key: "withoutOutcome", text: of("no result"), Icon: CircleDashed, look: "bg-inset text-muted" },
	{ key: "black", text: of("black"), Icon: EyeOff, look: "bg-soft-warn text-warn" },
	{ key: "running", text: of("running"), Icon: CircleDashed, look: "bg-inset text-muted" },
	{ key: "live", text: of("live"), Icon: CircleDot, look: "bg-soft-live text-live" },
] as const;
type Counts = Partial<Record<(typeof KINDS)[number]["key"], number>>;

/** The results of a build's recordings; those that none of them has are left out. */
export const BuildCounts = ({ build }: { build: Build }) => {
	const { passed, failed, error, skipped, withoutOutcome, black, running } = build;
	return <Chips build={build} counts={{ passed, failed, error, skipped, withoutOutcome, black, live: running }} />;
};

/** The last results of a build's tests, or of its recordings if it has no tests: as a bar, and in numbers. */
export function BuildResults({ build }: { build: Build }) {
	const { tests } = build;
	// Each test counts once.
	const counts = { ...tests, passed: steadyPasses(tests, tests.flaky) };
	return (
		<div className="flex flex-col gap-1.5">
			<OutcomeBar counts={tests.all > 0 ? counts : { ...build, flaky: 0, running: build.withoutOutcome }} />
			{tests.all > 0 ? <Chips build={build} counts={counts} /> : <BuildCounts build={build} />}
		</div>
	);
}

/** The parts of a bar, of one color each. Failures come first, and are seen however small their part is. */
const PARTS = [
	{ of: ["failed", "error"], look: "min-w-1 bg-danger" },
	{ of: ["flaky"], look: "bg-warn" },
	{ of: ["passed"], look: "bg-ok" },
	{ of: ["skipped"], look: "bg-line-strong" },
	{ of: ["running"], look: "bg-line" },
] as const;

/** The parts of the outcomes, for the eye; the numbers stand beside it. */
function OutcomeBar({ counts }: { counts: Record<(typeof PARTS)[number]["of"][number], number> }) {
	const parts = PARTS.map(({ of, look }) => ({ look, count: of.reduce((sum, key) => sum + counts[key], 0) }));
	if (parts.every(({ count }) => count === 0)) return null;
	return (
		<div aria-hidden className="flex h-1.5 max-w-80 gap-px overflow-hidden rounded-full">
			{parts.map(({ look, count }) =>
				count === 0 ? null : <span key={look} className={look} style={{ flex: `${count} 1 0` }} />,
			)}
		</div>
	);
}

const Chips = ({ build, counts }: { build: Build; counts: Counts }) => (
	<ul aria-label={`Outcome of build ${build.build}`} className="flex flex-wrap gap-1">
		{KINDS.filter(({ key }) => (counts[key] ?? 0) > 0).map(({ key, text, Icon, look }) => (
			<li
				key={key}
				className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap tabular-nums ${look}`}
			>
				<Icon aria-hidden className="size-3" />
				{text(counts[key] ?? 0)}
			</li>
		))}
	</ul>
);
