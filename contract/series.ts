/**
 * Decides which builds are compared with each other, and which results belong to one test: two repositories can have tests
 * of the same title, and builds with the same number.
 */

import { repositoryOfCiUrl } from "./ci-url.ts";

type Labels = Readonly<Record<string, string>>;

/** A commit's id at the end, a date with or without a count, or the last digits. */
const NUMBERS = [
	/(?<![\p{L}\d])(?=[a-f]*\d)[0-9a-f]{7,64}$/iu,
	/(?<!\d)20\d\d([-._]?)[01]\d\1[0-3]\d(?:[-._:T ]?\d{1,9}){0,5}(?=\D*$)/,
	/\d+(?=\D*$)/,
] as const;

/** The name of a build without its last number, which builds of one series share, such as `shop nightly #`. */
export function nameWithoutNumber(build: string): string {
	for (const number of NUMBERS) {
		const found = number.exec(build);
		if (found !== null) return (build.slice(0, found.index) + build.slice(found.index + found[0].length)).trim();
	}
	return build.trim();
}

/**
 * The repository of a test: the label `repository`, which CI integrations set. Without it, the repository whose CI has the
 * address of the label `ci.url`. Without either, the build's series stands for it.
 * @returns empty without any of these labels.
 */
export function repositoryOf({ repository = "", "ci.url": ciUrl = "", build = "" }: Labels): string {
	if (repository !== "") return repository;
	return repositoryOfCiUrl(ciUrl)?.repository ?? nameWithoutNumber(build);
}

/** A build by its name and its labels. */
export interface SeriesOf {
	name: string;
	repository: string | null;
	workflow: string | null;
}

/** Whether two builds are of one series: the same repository and workflow, or, without these labels, names of one form. */
export function isSameSeries(one: SeriesOf, other: SeriesOf): boolean {
	if (one.repository !== other.repository || one.workflow !== other.workflow) return false;
	const isLabelled = one.repository !== null && one.workflow !== null;
	return isLabelled || nameWithoutNumber(one.name) === nameWithoutNumber(other.name);
}

/** The names that default branches have, the most usual first. */
export const DEFAULT_BRANCHES = ["main", "master", "trunk", "develop", "default"] as const;
