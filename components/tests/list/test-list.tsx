"use client";

import type { ListedTest } from "@tapedeck/contract/listed-test.ts";
import { clsx } from "clsx";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Link } from "#components/navigation/link.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { useVirtualRows } from "#components/ui/use-virtual-rows.ts";
import { formatLength, formatShare } from "#lib/client/format.ts";
import { type Pager, useNextPages } from "#lib/client/paging.ts";
import { ResultIcon, resultWord } from "../result-icon.tsx";
import { Sparkline } from "../sparkline.tsx";
import { testPath } from "../test-path.ts";

/** The height of a row on wide screens; on narrow ones it is measured. */
const ROW_PX = 64;
/** This many rows before the end of what is loaded, the next page is fetched. */
const AHEAD = 40;

interface Props {
	tests: readonly ListedTest[];
	scroller: RefObject<HTMLElement | null>;
	pager: Pager;
	/** These are the tests of earlier filters; the new ones are loading. */
	stale: boolean;
	/** Narrows the search to those that have the same. */
	onFindAlso(key: "suite" | "file" | "owner", value: string): void;
}

/** The rows; only those near the viewport are in the document. */
export function TestList({ tests, scroller, pager, stale, onFindAlso }: Props) {
	const list = useRef<HTMLUListElement>(null);
	const rowPx = useRowHeight(list);
	const { first, end, before, after } = useVirtualRows(scroller, { count: tests.length, rowPx, overscan: 6 });
	useNextPages(pager, end, tests.length, AHEAD);
	return (
		<ul
			ref={list}
			aria-label="Tests"
			aria-busy={stale}
			style={{ paddingBlock: `${before}px ${after}px` }}
			className={clsx("bg-surface", stale && "stale")}
		>
			{tests.slice(first, end).map((test, index) => (
				<Row
					key={test.id}
					test={test}
					position={first + index + 1}
					total={pager.hasNextPage ? -1 : tests.length}
					onFindAlso={onFindAlso}
				/>
			))}
		</ul>
	);
}

/** All rows are as tall as the first; CSS decides how tall. */
function useRowHeight(list: RefObject<HTMLUListElement | null>): number {
	const [rowPx, setRowPx] = useState(ROW_PX);
	useLayoutEffect(() => {
		const measure = () => {
			const row = list.current?.querySelector("li");
			if (row) setRowPx(row.getBoundingClientRect().height);
		};
		measure();
		if (list.current === null) return;
		const observer = new ResizeObserver(measure);
		observer.observe(list.current);
		return () => observer.disconnect();
	}, [list]);
	return rowPx;
}

interface RowProps extends Pick<Props, "onFindAlso"> {
	test: ListedTest;
	position: number;
	/** -1 while it is unknown. */
	total: number;
}

/** Its title is the link, which covers the row. What it shares with others finds those. */
function Row({ test: one, position, total, onFindAlso }: RowProps) {
	const { id, test, suite, file, project, repository, outcome, lastAt, owner } = one;
	return (
		<li
			aria-posinset={position}
			aria-setsize={total}
			className="relative flex h-28 flex-col justify-center gap-x-4 gap-y-1 border-b border-line px-4 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:px-6 lg:h-16 lg:flex-row lg:items-center lg:justify-start"
		>
			<div className="flex min-w-0 gap-3 lg:flex-1">
				<ResultIcon result={one} className="mt-0.5 size-4" />
				<div className="min-w-0 flex-1">
					<div className="flex min-w-0 items-baseline gap-2">
						<span className="sr-only">{`${resultWord({ outcome, flaky: false })}: `}</span>
						<Link
							href={testPath(id)}
							title={test}
							className="min-w-0 truncate text-sm leading-6 font-medium outline-none after:absolute after:inset-0"
						>
							{test}
						</Link>
						{one.new ? (
							<span className="shrink-0 rounded-full bg-accent px-2 py-0.5 text-xs font-medium text-on-accent">
								New
							</span>
						) : null}
					</div>
					<p className="flex h-6 min-w-0 items-center gap-x-3 overflow-hidden text-xs whitespace-nowrap text-muted empty:hidden">
						{suite === null ? null : (
							<Also
								what="suite"
								value={suite}
								onFindAlso={onFindAlso}
								// A phone has no space for both.
								className={file === null || file === suite ? "" : "max-sm:hidden"}
							/>
						)}
						{file === null || file === suite ? null : <Also what="file" value={file} onFindAlso={onFindAlso} />}
						{project === null ? null : <span className="min-w-0 truncate">{project}</span>}
						{repository === null ? null : <span className="min-w-0 truncate max-sm:hidden">{repository}</span>}
						{owner === null ? null : <Also what="owner" value={owner.name} onFindAlso={onFindAlso} />}
					</p>
				</div>
			</div>
			<div className="flex min-w-0 items-center gap-x-2.5 ps-7 text-xs text-muted tabular-nums sm:gap-x-4 lg:ps-0">
				<span className="flex min-w-0 lg:w-30 lg:shrink-0 lg:justify-end">
					<Sparkline results={one.recent} />
				</span>
				<p className="w-24 shrink-0 max-sm:w-auto">
					<span className="block text-ink">{one.passRate === null ? "–" : `${formatShare(one.passRate)} passed`}</span>
					{one.flakyRate === null || one.flakyRate === 0 ? null : (
						<span className="block text-warn">{`${formatShare(one.flakyRate)} flaky`}</span>
					)}
				</p>
				<p className="w-24 shrink-0 max-sm:w-auto">
					<span className="block text-ink">
						{one.durationSeconds === null ? null : formatLength(one.durationSeconds)}
					</span>
					<DurationChange seconds={one.durationChangeSeconds} of={one.durationSeconds} />
				</p>
				<span className="ms-auto shrink-0 whitespace-nowrap lg:w-28 lg:text-end">
					<TimeAgo at={lastAt} isAbout={one.isApproximate} />
				</span>
			</div>
		</li>
	);
}

interface AlsoProps extends Pick<Props, "onFindAlso"> {
	what: "suite" | "file" | "owner";
	value: string;
	className?: string;
}

/** Finds the tests that have the same. */
const Also = ({ what, value, onFindAlso, className }: AlsoProps) => (
	<button
		type="button"
		title={`Show tests of the ${what} ${value}`}
		aria-label={`Show tests of the ${what} ${value}`}
		onClick={() => onFindAlso(what, value)}
		className={clsx("relative z-10 min-h-6 min-w-6 truncate rounded-sm hover:text-ink hover:underline", className)}
	>
		{value}
	</button>
);

/** A change that is worth a look: a tenth of the duration, and a tenth of a second. */
function DurationChange({ seconds, of }: { seconds: number; of: number | null }) {
	if (of === null || Math.abs(seconds) < Math.max(0.1, of / 10)) return null;
	const isSlower = seconds > 0;
	return (
		<span className={clsx("block", isSlower && "text-danger")}>
			{`${formatLength(Math.abs(seconds))} ${isSlower ? "slower" : "faster"}`}
		</span>
	);
}
