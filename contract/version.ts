/** The version of this copy of Tapedeck, dashboard and runner alike; the same as in package.json. */
export const VERSION = "0.2.0";

/**
 * Compares releases; their builds, which follow a plus sign, are left out.
 * @returns below 0 when the first is older, above 0 when it is newer; null when one is not `major.minor.patch`.
 */
export function compareReleases(first: string, second: string): number | null {
	const [one, other] = [numbersOf(first), numbersOf(second)];
	if (one === null || other === null) return null;
	return one.map((number, index) => number - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** @returns major, minor and patch; null for anything else, pre-releases among them. */
function numbersOf(version: string): number[] | null {
	const [release = ""] = version.split("+");
	return /^\d+\.\d+\.\d+$/.test(release) ? release.split(".").map(Number) : null;
}
