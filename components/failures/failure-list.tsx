"use client";

import { type RefObject, useRef } from "react";
import { buildPath } from "#components/builds/build-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import { counted } from "#lib/client/format.ts";
import type { Failure } from "#lib/contract/failure.ts";
import { FailureCard } from "./failure-card.tsx";
import { groupFailures, type TestFailures } from "./failure-groups.ts";

interface Props {
	failures: readonly Failure[];
	/** Later ones are marked as new; null where all are. */
	newAfter: string | null;
}

/** Failures by build and test. J, K and the arrows move from one to the next. */
export function FailureList({ failures, newAfter }: Props) {
	const box = useRef<HTMLDivElement>(null);
	useRowKeys(box);
	return (
		<div ref={box} className="flex flex-col gap-6">
			{groupFailures(failures).map(({ build, count, tests }) => (
				<section key={build ?? ""} aria-label={build === null ? "Without a build" : `Build ${build}`}>
					<div className="mb-2 flex items-baseline gap-3">
						<h2 className="min-w-0 truncate text-sm leading-6 font-semibold">
							{build === null ? (
								"Without a build"
							) : (
								<Link href={buildPath(build)} className="inline-block hover:underline" title={build}>
									{`Build ${build}`}
								</Link>
							)}
						</h2>
						<span className="shrink-0 text-xs text-muted tabular-nums">{counted(count, "failure", "failures")}</span>
					</div>
					<ul className="overflow-hidden rounded-lg border border-line bg-surface">
						{tests.map((one) => (
							<Test key={one.test} {...one} newAfter={newAfter} />
						))}
					</ul>
				</section>
			))}
		</div>
	);
}

function Test({ test, failures, newAfter }: TestFailures & Pick<Props, "newAfter">) {
	return (
		<li className="border-b border-line last:border-b-0">
			<h3 className="flex items-baseline gap-2 px-3 pt-3 text-sm font-medium md:px-4">
				<span className="min-w-0 break-words">{test}</span>
				{failures.length > 1 ? (
					<span className="shrink-0 text-xs font-normal text-muted tabular-nums">{`${failures.length} times`}</span>
				) : null}
			</h3>
			<ul aria-label={`Failures of ${test}`}>
				{failures.map((failure) => (
					<FailureCard
						key={failure.id}
						failure={failure}
						test={test}
						isNew={newAfter !== null && failure.failedAt > newAfter}
					/>
				))}
			</ul>
		</li>
	);
}

/** Moves the focus among the links of the rows. Enter follows them, as everywhere. */
function useRowKeys(box: RefObject<HTMLElement | null>): void {
	const move = (step: 1 | -1) => {
		const rows = [...(box.current?.querySelectorAll<HTMLElement>("a[data-failure]") ?? [])];
		const at = rows.findIndex((row) => row.closest("li")?.contains(document.activeElement));
		const next = rows[at === -1 ? 0 : Math.min(Math.max(0, at + step), rows.length - 1)];
		next?.focus({ preventScroll: true });
		next?.closest("li")?.scrollIntoView({ block: "nearest" });
	};
	useShortcuts({
		nextRecording: () => move(1),
		cardDown: () => move(1),
		previousRecording: () => move(-1),
		cardUp: () => move(-1),
	});
}
