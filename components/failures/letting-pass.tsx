"use client";

import { useQuery } from "@tanstack/react-query";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { LettingPass } from "@tapedeck/contract/test-failure.ts";
import { Link } from "#components/navigation/link.tsx";
import { Button } from "#components/ui/button.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { counted, formatExact } from "#lib/client/format.ts";
import { lettingPassQuery, useTriage } from "./failures.ts";

/** The list of causes whose failures do not fail CI now. */
export function LettingPassSection({ mayDecide }: { mayDecide: boolean }) {
	const { data: causes = [] } = useQuery(lettingPassQuery).data ?? {};
	if (causes.length === 0) return null;
	return (
		<section aria-label="CI passes in spite of these" className="mt-8">
			<h2 className="mb-2 text-sm leading-6 font-semibold">CI passes in spite of these</h2>
			<ul className="overflow-hidden rounded-lg border border-line bg-surface">
				{causes.map((one) => (
					<Row key={one.cause} {...one} mayDecide={mayDecide} />
				))}
			</ul>
		</section>
	);
}

function Row({
	cause,
	title,
	newest,
	failures,
	triage,
	mayDecide,
}: LettingPass["data"][number] & { mayDecide: boolean }) {
	const decide = useTriage({ cause });
	const { assignee, mutedUntil, mutedBy, muteReason } = triage;
	const name = title ?? newest?.test ?? "A cause without failures";
	const end = () =>
		void toastOutcome(decide.mutateAsync({ letsPass: false }), {
			done: "CI no longer passes in spite of it. It stays muted.",
			failed: "Couldn't save this.",
		});
	return (
		<li className="flex flex-wrap items-center gap-3 border-b border-line px-3 py-2 last:border-b-0">
			<div className="min-w-0 flex-1">
				{newest === null ? (
					<p className="truncate text-sm font-medium">{name}</p>
				) : (
					<Link href={resultPath(newest)} className="block truncate text-sm font-medium hover:underline">
						{name}
					</Link>
				)}
				<p className="text-xs wrap-anywhere text-muted tabular-nums">
					{assignee === null ? "no owner, so CI fails" : `owner ${assignee.name}`}
					{mutedUntil === null ? null : ` · until ${formatExact(mutedUntil)}`}
					{mutedBy === null ? null : ` · let through by ${mutedBy}`}
					{muteReason === null ? null : ` · ${muteReason}`}
					{` · ${counted(failures, "failure", "failures")} in 7 days`}
				</p>
			</div>
			{mayDecide ? (
				<Button size="small" aria-label={`End: ${name}`} aria-disabled={decide.isPending} onClick={end}>
					End
				</Button>
			) : null}
		</li>
	);
}
