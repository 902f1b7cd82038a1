"use client";

import { useQuery } from "@tanstack/react-query";
import { DayPlot } from "#components/ui/day-plot.tsx";
import { dailyTotalsQuery } from "#lib/client/daily-totals.ts";
import { formatShare } from "#lib/client/format.ts";

/** Fewer flaky tests than one in twenty do not fill the plot. */
const LEAST_SHARE = 0.05;

/** The share of flaky tests in the builds of each of the last 30 days. */
export function FlakinessOverTime() {
	const totals = useQuery(dailyTotalsQuery).data;
	if (totals === undefined) return <div className="h-39" />;
	return (
		<DayPlot
			title="Flaky tests in builds of each day"
			columns={["Flaky", "Tests in builds"]}
			days={totals.map(({ day, tests, flaky }) => ({
				day,
				parts: tests === 0 ? null : [{ value: flaky / tests, look: "bg-warn" }],
				cells: [
					tests === 0 ? "–" : `${flaky.toLocaleString()} (${formatShare(flaky / tests)})`,
					tests.toLocaleString(),
				],
			}))}
			format={formatShare}
			atLeast={LEAST_SHARE}
		/>
	);
}
