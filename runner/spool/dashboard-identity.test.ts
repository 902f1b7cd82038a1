import { expect, test } from "vitest";
import { belonging } from "./dashboard-identity.ts";

const here = { id: "the-dashboard", url: "http://here", organizationId: 1 };
const older = { ...here, id: null };

test.each([
	["a recording with the dashboard's id", { dashboard: here, jobId: 7 }, here, "own"],
	[
		"a recording whose dashboard has a new address",
		{ dashboard: { ...here, url: "http://before" }, jobId: 7 },
		here,
		"own",
	],
	[
		"a recording of a dashboard that was replaced at this address",
		{ dashboard: { ...here, id: "another" }, jobId: 7 },
		here,
		"other",
	],
	["a recording of another organization", { dashboard: { ...here, organizationId: 2 }, jobId: 7 }, here, "other"],
	[
		"a recording started before this dashboard was reached",
		{ dashboard: { ...older, organizationId: null }, jobId: null },
		here,
		"own",
	],
	[
		"a recording started before a dashboard at another address was reached",
		{ dashboard: { ...older, url: "http://there" }, jobId: null },
		here,
		"other",
	],
	["a job taken before the dashboard had an id", { dashboard: older, jobId: 7 }, here, "unsure"],
	["a recording of this address, at an older dashboard", { dashboard: here, jobId: 7 }, older, "own"],
	[
		"a recording of another address, at an older dashboard",
		{ dashboard: { ...here, url: "http://there" }, jobId: 7 },
		older,
		"other",
	],
] as const)("%s", (_words, entry, to, expected) => {
	expect(belonging(entry, to)).toBe(expected);
});
