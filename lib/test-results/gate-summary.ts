/** The gate's decision as one line, which `tapedeck run --gate` and the reporters print. */
import { counted } from "@tapedeck/contract/build-summary.ts";
import type { Gate } from "@tapedeck/contract/gate.ts";
import { oneLine } from "@tapedeck/contract/plain-text.ts";

/** Causes that a line names. */
const MAX_CAUSES = 5;
const MAX_TITLE = 100;

/** For example 3 causes: 2 known (…), 1 new: Checkout › pays. */
export function summaryOf({ known, new: added, refusal }: Pick<Gate, "known" | "new" | "refusal">): string {
	const all = known.length + added.length;
	const parts = [
		...(known.length === 0 ? [] : [`${known.length} known (${listOf(known.map(knownAs), "; ")})`]),
		...(added.length === 0 ? [] : [`${added.length} new: ${listOf(added.map(newAs), ", ")}`]),
	];
	const causes = `${counted(all, "cause")}: ${parts.join(", ")}.`;
	return refusal === null ? causes : `${causes} ${refusal}`;
}

const knownAs = ({ title, owner, mutedUntil }: Gate["known"][number]): string =>
	`let through by ${owner} until ${mutedUntil.slice(0, 10)}: ${oneLine(title, MAX_TITLE)}`;

const newAs = ({ title, names: [name], tests }: Gate["new"][number]): string => {
	const more = tests > 1 ? ` and ${tests - 1} more` : "";
	return name === undefined ? oneLine(title, MAX_TITLE) : `${oneLine(name, MAX_TITLE)}${more}`;
};

function listOf(texts: readonly string[], separator: string): string {
	const more = texts.length > MAX_CAUSES ? `${separator}and ${texts.length - MAX_CAUSES} more` : "";
	return texts.slice(0, MAX_CAUSES).join(separator) + more;
}
