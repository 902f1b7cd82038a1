/** For the server's side of pages: the language of searches is large. */
import { printTerm } from "@tapedeck/contract/search.ts";

/** The search that finds the recordings of a build. */
export const buildSearch = (build: string): string =>
	printTerm({ kind: "label", key: "build", value: build, not: false });
