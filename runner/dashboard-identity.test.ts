import { expect, test } from "vitest";
import { belonging } from "./spool/dashboard-identity.ts";

const here = { id: "the-dashboard", url: "http://here", organizationId: 1 };
const older = { ...here, id: null };

test.each([
	["one with the dashboard's id", { dashboard: here, jobId: 7 }, here, "own"],
	["one whose dashboard has moved", { dashboard: { ...here, url: "http://before" }, jobId: 7 }, here, "own"],
	["one of a dashboard that now answers elsewhere", { dashboard: { ...here, id: "another" }, jobId: 7 }, here, "other"],
	["one of another organization", { dashboard: { ...here, organizationId: 2 }, jobId: 7 }, here, "other"],
	[
		"one begun before this dashboard was reached",
		{ dashboard: { ...older, organizationId: null }, jobId: null },
		here,
		"own",
	],
	[
		"one begun before a dashboard at another address was reached",
		{ dashboard: { ...older, url: "http://there" }, jobId: null },
		here,
		"other",
	],
	["one that was taken before the dashboard had an id", { dashboard: older, jobId: 7 }, here, "unsure"],
	["one from before identities, with a job", { dashboard: null, jobId: 7 }, here, "unsure"],
	["one from before identities, without a job", { dashboard: null, jobId: null }, here, "own"],
	["one from before identities, at an older dashboard", { dashboard: null, jobId: 7 }, older, "own"],
	["one of this address, at an older dashboard", { dashboard: here, jobId: 7 }, older, "own"],
	[
		"one of another address, at an older dashboard",
		{ dashboard: { ...here, url: "http://there" }, jobId: 7 },
		older,
		"other",
	],
] as const)("%s", (_words, entry, to, expected) => {
	expect(belonging(entry, to)).toBe(expected);
});
