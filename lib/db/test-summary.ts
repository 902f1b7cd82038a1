/**
 * SQL that summarizes the newest results of a test. Migrations fill columns with it: if the rules change, they need a copy of the
 * old rules.
 */

/** The two middle values; if the number is odd, the same one twice. */
const isMedian = (place: string, count: string) => `${place} in ((${count} + 1) / 2, (${count} + 2) / 2)`;
/** The median duration of the newest 10 of the 30 results, or of the others; null if there are fewer than 5. */
const medianOf = (isNewest: "true" | "false") => `avg(case when "isNewest" = ${isNewest} and "countInPart" >= 5
	and ${isMedian(`"placeInPart"`, `"countInPart"`)} then took end)`;

/**
 * The part after `update test set`: the columns of a summary, from the newest 30 results that have ended.
 * @param counts SQL: whether a result counts.
 */
export const summaryOf = (counts: string): string => `
	("lastOutcome", "lastIsNew", "recentResults", "passRate", "flakyRate", "durationMs", "durationChangeMs") = (
		select
			max(case when place = 1 then outcome end),
			coalesce(max(case when place = 1 then "isNew" end), 0),
			count(ran),
			coalesce(avg(case when ran = 1 then case when outcome = 'passed' then 1.0 else 0.0 end end), 1),
			coalesce(avg(case when ran = 1 then "isFlaky" * 1.0 end), 0),
			cast(round(coalesce(avg(case when ${isMedian(`"placeInAll"`, `"countInAll"`)} then took end), -1)) as bigint),
			cast(round(coalesce(${medianOf("true")} - ${medianOf("false")}, 0)) as bigint)
		from (
			select placed.*,
				row_number() over (order by took is null, took) as "placeInAll",
				count(took) over () as "countInAll",
				row_number() over (partition by "isNewest" order by took is null, took) as "placeInPart",
				count(took) over (partition by "isNewest") as "countInPart"
			from (
				select newest.*, place <= 10 as "isNewest",
					case when outcome <> 'skipped' then 1 end as ran,
					case when outcome <> 'skipped' then "endedAt" - "startedAt" end as took
				from (
					select outcome, "isFlaky", "isNew", "startedAt", "endedAt",
						row_number() over (order by "startedAt" desc, id desc) as place
					from (
						select id, outcome, "isFlaky", "isNew", "startedAt", "endedAt" from "testResult"
						where "testId" = test.id and outcome is not null and ${counts}
						order by "startedAt" desc, id desc limit 30
					) as ended
				) as newest
			) as placed
		) as summed
	)`;

/** Agents try things out: their results say nothing about how reliable a test is. */
export const SUMMARY_OF_RESULTS = summaryOf(`"isByAgent" = 0`);
