/**
 * Refuses variables that nothing reads. A misspelled limit or key would otherwise leave the default in place without a
 * word.
 */

const PREFIX = "TAPEDECK_";
/** For this project's own tests. */
const TEST_PREFIX = "TAPEDECK_TEST_";
/**
 * What Kubernetes sets in every pod for a Service whose name begins with "tapedeck", such as TAPEDECK_SERVICE_HOST and
 * TAPEDECK_PORT_80_TCP_ADDR.
 */
const SERVICE_LINK =
	/^TAPEDECK_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
/** Also one of them, if its value is such a URL. */
const SERVICE_PORT = /^TAPEDECK_(\w+_)?PORT$/;
const SERVICE_URL = /^(tcp|udp|sctp):\/\//;

/**
 * @param known the names that something reads.
 * @returns a sentence for each variable that has a value and is not known, with the name that was probably meant.
 */
export function unknownVariables(
	variables: Readonly<Record<string, string | undefined>>,
	known: readonly string[],
): string[] {
	return Object.entries(variables)
		.filter(([name, value]) => name.startsWith(PREFIX) && value !== undefined && value !== "")
		.filter(([name, value]) => !known.includes(name) && !isServiceLink(name, value ?? ""))
		.filter(([name]) => !name.startsWith(TEST_PREFIX))
		.map(([name]) => {
			const meant = nearest(name, known);
			const remedy = meant === null ? "Remove it." : `Did you mean ${meant}?`;
			return `${name} is not a variable of Tapedeck. ${remedy}`;
		});
}

const isServiceLink = (name: string, value: string): boolean =>
	SERVICE_LINK.test(name) || (SERVICE_PORT.test(name) && SERVICE_URL.test(value));

/** The known name that takes the fewest edits, if these are few for its length. */
function nearest(name: string, known: readonly string[]): string | null {
	const rest = name.slice(PREFIX.length);
	const candidates = known.map((one) => {
		const other = one.startsWith(PREFIX) ? one.slice(PREFIX.length) : one;
		return { one, edits: rest === other ? 0 : edits(rest, other), isPart: isPartOf(rest, other) };
	});
	const most = Math.max(2, Math.floor(rest.length / 4));
	const close = candidates.filter((candidate) => candidate.edits <= most).sort((a, b) => a.edits - b.edits);
	// Such as TAPEDECK_METRICS, or a unit that is missing.
	const longer = candidates.filter(({ isPart }) => isPart);
	return close[0]?.one ?? (longer.length === 1 ? (longer[0]?.one ?? null) : null);
}

/** Whether the words of one name are among those of the other. */
function isPartOf(name: string, other: string): boolean {
	const [few = [], many = []] = [name.split("_"), other.split("_")].sort((a, b) => a.length - b.length);
	return few.every((word) => many.includes(word));
}

/** How many letters must be inserted, removed, replaced, or swapped with their neighbour. */
function edits(from: string, to: string): number {
	let before: number[] = [];
	let row = Array.from({ length: to.length + 1 }, (_, index) => index);
	for (let i = 1; i <= from.length; i++) {
		const next = [i];
		for (let j = 1; j <= to.length; j++) {
			const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
			next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced);
			const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
			if (isSwap) next[j] = Math.min(next[j] ?? 0, (before[j - 2] ?? 0) + 1);
		}
		[before, row] = [row, next];
	}
	return row[to.length] ?? 0;
}
