/** Parses `TAPEDECK_DISPLAY_ALLOW`: the displays that a runner may record. */
import { parseList } from "../base/allow-list.ts";
import type { Fault } from "../base/fault.ts";
import { type DisplayName, displayIdOf, parseDisplayName } from "./display-name.ts";

/** Why a display can't be recorded. */
export type DisplayFault = Fault<"display_unavailable">;

interface Entry extends Omit<DisplayName, "screen"> {
	/** Null for every screen. */
	screen: number | null;
}

export class AllowedDisplays {
	/** The entries as the operator wrote them; null when every display is allowed. */
	readonly entries: readonly string[] | null;
	readonly #parsed: readonly Entry[];

	private constructor(entries: readonly string[] | null, parsed: readonly Entry[]) {
		this.entries = entries;
		this.#parsed = parsed;
	}

	static readonly all = new AllowedDisplays(null, []);

	/** @param text displays in the notation of DISPLAY, separated by commas. @returns an error message if it is invalid. */
	static parse(text: string): AllowedDisplays | string {
		const list = parseList(text, entryOf, "displays such as :99, :0.0 or <host>:<number>");
		if (typeof list === "string") return list;
		return new AllowedDisplays(
			list.map(({ text }) => text),
			list.map(({ entry }) => entry),
		);
	}

	/** @param entries of another list, as reported by a running runner. */
	static of(entries: readonly string[] | null): AllowedDisplays {
		const list = entries === null ? AllowedDisplays.all : AllowedDisplays.parse(entries.join(","));
		if (typeof list === "string") throw new Error(list);
		return list;
	}

	has(name: DisplayName): boolean {
		const isOne = ({ host, number, screen }: Entry) =>
			host === hostOf(name) && number === name.number && (screen ?? name.screen) === name.screen;
		return this.entries === null || this.#parsed.some(isOne);
	}
}

/** A display is not on the list. The message does not disclose the list, which belongs to the operator. */
export const displayNotAllowed = (name: DisplayName): DisplayFault => ({
	code: "display_unavailable",
	what: `Display ${displayIdOf(name)} is not in the runner's TAPEDECK_DISPLAY_ALLOW`,
	remedy: "choose another display, or ask the runner's operator to add this one",
});

const hostOf = ({ host }: DisplayName): string | null => host?.toLowerCase() ?? null;

function entryOf(word: string): Entry | null {
	const name = parseDisplayName(word);
	if (name === null) return null;
	return { host: hostOf(name), number: name.number, screen: /:\d+\.\d+$/.test(word) ? name.screen : null };
}
