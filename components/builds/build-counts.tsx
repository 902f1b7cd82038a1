import type { Build } from "@tapedeck/contract/build.ts";
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
/** What asks for attention first. */
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

/** The last results of a build's tests, or of its recordings if it has no tests. */
export const BuildResults = ({ build }: { build: Build }) =>
	build.tests.all > 0 ? <Chips build={build} counts={build.tests} /> : <BuildCounts build={build} />;

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
