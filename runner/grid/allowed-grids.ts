/** The grids that a runner may poll: `TAPEDECK_GRID_ALLOW`. Checked for every single request, including redirects. */
import { type GridPattern, isWithinGrids, parseGridPattern } from "@tapedeck/contract/grid-pattern.ts";
import { parseList } from "../base/allow-list.ts";
import type { Fault } from "../base/fault.ts";

export class AllowedGrids {
	/** The entries as the operator wrote them; null when every grid is allowed. */
	readonly entries: readonly string[] | null;
	readonly #patterns: readonly GridPattern[];

	private constructor(entries: readonly string[] | null, patterns: readonly GridPattern[]) {
		this.entries = entries;
		this.#patterns = patterns;
	}

	static readonly all = new AllowedGrids(null, []);

	/**
	 * @param text patterns of grids (contract/grid-pattern.ts), separated by commas.
	 * @returns an error message if it is invalid.
	 */
	static parse(text: string): AllowedGrids | string {
		const list = parseList(text, parseGridPattern, "grids such as http://selenium:4444 or *.grid.example");
		if (typeof list === "string") return list;
		return new AllowedGrids(
			list.map(({ text }) => text),
			list.map(({ entry }) => entry),
		);
	}

	/** @param address an absolute URL of a grid, or of a request to it. */
	has(address: string): boolean {
		return this.entries === null || isWithinGrids(address, this.#patterns);
	}
}

/** A grid is not on the list. The message does not disclose the list, which belongs to the operator. */
export const gridNotAllowed = (gridUrl: string): Fault<"grid_not_allowed"> => ({
	code: "grid_not_allowed",
	what: `The grid at ${gridUrl} is not in the runner's TAPEDECK_GRID_ALLOW`,
	remedy: "set gridUrl to an allowed grid, or ask the runner's operator to add this one",
});
