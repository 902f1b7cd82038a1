import { expect, test } from "vitest";
import { isFor } from "./dashboard-identity.ts";

const here = { id: "the-dashboard", url: "http://here", organizationId: 1 };
const unreached = { id: null, url: "http://here", organizationId: null };

test.each([
	["a recording with the dashboard's id", here, true],
	["a recording whose dashboard has a new address", { ...here, url: "http://before" }, true],
	["a recording of a dashboard that was replaced at this address", { ...here, id: "another" }, false],
	["a recording of another organization", { ...here, organizationId: 2 }, false],
	["a recording started before this dashboard was reached", unreached, true],
	[
		"a recording started before a dashboard at another address was reached",
		{ ...unreached, url: "http://there" },
		false,
	],
] as const)("%s", (_words, its, expected) => {
	expect(isFor(here, its)).toBe(expected);
});
