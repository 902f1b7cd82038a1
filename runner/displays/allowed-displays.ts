/** Which displays this runner serves: `TAPEDECK_DISPLAY_ALLOW`. */
import { readList } from "../base/allow-list.ts";
import { type DisplayName, displayIdOf, parseDisplayName } from "./display-name.ts";

interface Entry extends Omit<DisplayName, "screen"> {
	/** Null for every screen of it. */
	screen: number | null;
}

export class AllowedDisplays {
	/** As the operator wrote them; null when everything is allowed. */
	readonly words: readonly string[] | null;
	readonly #entries: readonly Entry[];

	private constructor(words: readonly string[] | null, entries: readonly Entry[]) {
		this.words = words;
		this.#entries = entries;
	}

	static readonly all = new AllowedDisplays(null, []);

	/** @param text displays as DISPLAY has them. @returns the sentence that says what is wrong with it, if anything is. */
	static parse(text: string): AllowedDisplays | string {
		const list = readList(text, entryOf, "displays such as :99, :0.0 or <host>:<number>");
		if (typeof list === "string") return list;
		return new AllowedDisplays(
			list.map(({ word }) => word),
			list.map(({ entry }) => entry),
		);
	}

	/** @param words those of another one, as a running runner tells them. */
	static of(words: readonly string[] | null): AllowedDisplays {
		const list = words === null ? AllowedDisplays.all : AllowedDisplays.parse(words.join(","));
		if (typeof list === "string") throw new Error(list);
		return list;
	}

	has(name: DisplayName): boolean {
		const isOne = ({ host, number, screen }: Entry) =>
			host === hostOf(name) && number === name.number && (screen ?? name.screen) === name.screen;
		return this.words === null || this.#entries.some(isOne);
	}
}

/** One sentence with the remedy; the list itself is the operator's, and stays on the runner's machine. */
export const displayNotAllowed = (name: DisplayName): string =>
	`Display ${displayIdOf(name)} is not served: TAPEDECK_DISPLAY_ALLOW of the runner does not have it; ` +
	"choose another display, or have the runner's operator add this one.";

const hostOf = ({ host }: DisplayName): string | null => host?.toLowerCase() ?? null;

function entryOf(word: string): Entry | null {
	const name = parseDisplayName(word);
	if (name === null) return null;
	return { host: hostOf(name), number: name.number, screen: /:\d+\.\d+$/.test(word) ? name.screen : null };
}
