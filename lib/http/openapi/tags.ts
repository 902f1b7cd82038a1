/** The groups of operations in the OpenAPI document, in the order of the reference. */

/** Parts of a recording: its bytes, and files that are made of them. */
const FILES = new Set([
	...["clip", "digest", "first-difference", "frame", "last-passed", "live", "poster", "proof"],
	...["storyboard", "url", "video"],
]);

/** The name of each, its description, and the first parts of its paths after `/v1/`. */
const GROUPS: readonly (readonly [name: string, description: string, resources: readonly string[]])[] = [
	["Jobs", "A job records one display of one runner until its stop condition is met.", ["jobs"]],
	["Schedules", "Jobs that are created again and again.", ["schedules"]],
	["Recordings", "The videos: list, share, mark and delete them.", ["recordings", "deleted-recordings"]],
	["Recording files", "What a recording shows: its video, clips, frames, review cut and digest.", []],
	[
		"Builds",
		"What CI ran: builds with their reports, failed recordings, sessions of a grid, and totals.",
		["sessions", "builds", "failures", "coverage", "daily-totals"],
	],
	["Views", "Saved searches, and the labels that searches use.", ["labels", "views"]],
	[
		"Tests",
		"Tests: their results, their history, and their failures by cause.",
		["tests", "test-history", "test-summaries", "test-failures", "failure-triage"],
	],
	["Test runs", "Results without a recording, and the files of results.", ["test-runs", "attachments"]],
	["Uploads", "Resumable uploads by the tus 1.0 protocol.", ["uploads"]],
	["Shared recordings", "Recordings that share links show to people who are not signed in.", ["shared", "oembed"]],
	["Runners", "The machines that record.", ["runners"]],
	["Runner tokens", "The credentials of runners.", ["runner-tokens"]],
	["Events", "Changes as they happen, as server-sent events.", ["events"]],
	["Webhooks", "Where events are sent to: signed requests, their log, and what they have in them.", ["webhooks"]],
	[
		"Storage and retention",
		"Disk space, storage quota, and what is deleted when.",
		["storage", "retention", "recording-settings"],
	],
	["Organization", "Members and invitations.", ["organization", "organizations", "members", "invitations"]],
	["API keys", "The credentials of programs, and signing in from a command line.", ["api-keys", "device-sign-ins"]],
	["Audit log", "Who changed what.", ["audit-log"]],
	["Account", "A person's own account and sessions.", ["me", "setup", "sign-up", "password-reset"]],
	["Service", "The health of this dashboard, and this document.", ["health", "openapi.json"]],
];
export const TAGS = GROUPS.map(([name, description]) => ({ name, description }));

/** @returns the tag of a path such as `/v1/jobs/:jobId`. @throws for a resource without one. */
export function tagOf(path: string): string {
	const [, , resource = "", , part = ""] = path.split("/");
	if (resource === "recordings" && FILES.has(part)) return "Recording files";
	const [tag] = GROUPS.find(([, , resources]) => resources.includes(resource)) ?? [];
	if (tag === undefined) throw new Error(`${path} has no tag: add "${resource}" to lib/http/openapi/tags.ts.`);
	return tag;
}

/** A tag as it stands in an address: `runner-tokens`. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(" ", "-");
