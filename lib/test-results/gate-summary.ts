/** The gate's decision as one line, which `tapedeck run --gate` and the reporters print. */
import { counted } from "@tapedeck/contract/build-summary.ts";
import type { Gate } from "@tapedeck/contract/gate.ts";
import { oneLine } from "@tapedeck/contract/plain-text.ts";

/** Causes that a line names. */
const MAX_CAUSES = 5;
const MAX_TITLE = 100;

interface Here {
	build: string | null;
	commit: string | null;
}

/**
 * For example: 3 causes: 2 known (…), 1 new: Checkout › pays, since this commit.
 * @param here the labels of the results.
 */
export function summaryOf(
	{ known, new: added, refusal }: Pick<Gate, "known" | "new" | "refusal">,
	here: Here = { build: null, commit: null },
): string {
	const all = known.length + added.length;
	const parts = [
		...(known.length === 0 ? [] : [`${known.length} known (${listOf(known.map(knownAs), "; ")})`]),
		...(added.length === 0
			? []
			: [
					`${added.length} new: ${listOf(
						added.map((cause) => newAs(cause, here)),
						"; ",
					)}`,
				]),
	];
	const causes = `${counted(all, "cause")}: ${parts.join(", ")}.`;
	return refusal === null ? causes : `${causes} ${refusal}`;
}

const knownAs = ({ title, owner, mutedUntil }: Gate["known"][number]): string =>
	`let through by ${owner} until ${mutedUntil.slice(0, 10)}: ${oneLine(title, MAX_TITLE)}`;

const newAs = ({ title, names: [name], tests, since }: Gate["new"][number], here: Here): string => {
	const more = tests > 1 ? ` and ${tests - 1} more` : "";
	const what = name === undefined ? oneLine(title, MAX_TITLE) : `${oneLine(name, MAX_TITLE)}${more}`;
	return since === null ? what : `${what}, since ${momentOf(since, here)}`;
};

function momentOf({ build, commit, startedAt }: NonNullable<Gate["new"][number]["since"]>, here: Here): string {
	if (commit !== null && commit === here.commit) return "this commit";
	const inBuild = build === null ? null : build === here.build ? "this build" : `build ${oneLine(build, MAX_TITLE)}`;
	if (commit !== null) return `commit ${oneLine(commit, 12)}${inBuild === null ? "" : ` (${inBuild})`}`;
	return inBuild ?? startedAt.slice(0, 16).replace("T", " ");
}

function listOf(texts: readonly string[], separator: string): string {
	const more = texts.length > MAX_CAUSES ? `${separator}and ${texts.length - MAX_CAUSES} more` : "";
	return texts.slice(0, MAX_CAUSES).join(separator) + more;
}
