/** The search language as a plain comparison, which the indexes of the lists are held against. */
import { momentOf, printTerm, type SearchTerm } from "@tapedeck/contract/search.ts";

/** The properties that a search is compared with. */
interface Searched {
	name: string;
	labels: Readonly<Record<string, string>>;
	outcome: string | null;
	verdict: string | null;
	status: string | null;
	createdAt: string;
}

/** Whether something matches: what lists must find. Runners, sessions and test results are not known here, and match. */
export function matchesSearch(terms: readonly SearchTerm[], one: Searched): boolean {
	const groups = new Map<string, boolean>();
	for (const term of terms) {
		const holds = holdsFor(term, one);
		if (holds === null) continue;
		if (term.not && holds) return false;
		if (term.not) continue;
		const group =
			term.kind === "word" || term.kind === "after" || term.kind === "before"
				? printTerm(term)
				: term.kind === "label"
					? `label ${term.key}`
					: term.kind;
		groups.set(group, holds || groups.get(group) === true);
	}
	return [...groups.values()].every(Boolean);
}

function holdsFor(term: SearchTerm, one: Searched): boolean | null {
	switch (term.kind) {
		case "word": {
			const wanted = term.text.toLowerCase();
			return [one.name, ...Object.values(one.labels)].some((text) => text.toLowerCase().includes(wanted));
		}
		case "label": {
			const value = one.labels[term.key];
			return term.value === null ? value !== undefined : value === term.value;
		}
		case "outcome":
			return (one.outcome ?? "none") === term.value;
		case "verdict":
		case "status":
			return one[term.kind] === null && term.kind === "status" ? null : one[term.kind] === term.value;
		case "after":
			return Date.parse(one.createdAt) > (momentOf(term.value) ?? 0);
		case "before":
			return Date.parse(one.createdAt) < (momentOf(term.value) ?? 0);
		case "runner":
		case "session":
		case "message":
		case "cause":
		case "screen":
		case "flaky":
		case "new":
			return null;
	}
}
