/** Builds by branch: a lane has the builds of one branch in one series. */
import type { Build } from "@tapedeck/contract/build.ts";
import { DEFAULT_BRANCHES, nameWithoutNumber } from "@tapedeck/contract/series.ts";

export interface Lane {
	key: string;
	branch: string | null;
	/** The repository and the workflow of its builds, or the name that they share; empty if there is neither. */
	series: string;
	/** In the order of the list: the newest first. */
	builds: Build[];
}

/** Lanes in the order of their newest builds, default branches before others. */
export function lanesOf(builds: readonly Build[]): Lane[] {
	const lanes = new Map<string, Lane>();
	for (const build of builds) {
		const { branch } = build;
		const series = seriesName(build);
		const key = JSON.stringify([series, branch]);
		const lane = lanes.get(key);
		if (lane === undefined) lanes.set(key, { key, branch, series, builds: [build] });
		else lane.builds.push(build);
	}
	const isDefault = ({ branch }: Lane) => DEFAULT_BRANCHES.some((name) => name === branch);
	return [...lanes.values()].toSorted((a, b) => Number(isDefault(b)) - Number(isDefault(a)));
}

/** `acme/shop · CI`; builds without both labels are of one series if their names differ only by a number. */
function seriesName({ build, repository, workflow }: Build): string {
	const name = repository === null || workflow === null ? nameWithoutNumber(build) : null;
	return [repository, workflow, name].filter((part) => part !== null && part !== "").join(" · ");
}
