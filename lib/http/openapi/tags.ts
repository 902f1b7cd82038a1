/** The groups of operations in the OpenAPI document, in the order of the reference. */

const BY_SEGMENT: Readonly<Record<string, string>> = {
	jobs: "Jobs",
	schedules: "Schedules",
	recordings: "Recordings",
	"deleted-recordings": "Recordings",
	sessions: "Builds",
	labels: "Views",
	views: "Views",
	builds: "Builds",
	failures: "Builds",
	"test-runs": "Test runs",
	attachments: "Test runs",
	tests: "Tests",
	"test-history": "Tests",
	"test-summaries": "Tests",
	"test-failures": "Tests",
	"failure-triage": "Tests",
	coverage: "Builds",
	"daily-totals": "Builds",
	shared: "Shared recordings",
	oembed: "Shared recordings",
	uploads: "Uploads",
	runners: "Runners",
	"runner-tokens": "Runner tokens",
	events: "Events",
	storage: "Storage and retention",
	retention: "Storage and retention",
	"recording-settings": "Storage and retention",
	me: "Account",
	setup: "Account",
	"sign-up": "Account",
	"password-reset": "Account",
	organization: "Organization",
	organizations: "Organization",
	members: "Organization",
	invitations: "Organization",
	"api-keys": "API keys",
	"device-sign-ins": "API keys",
	"audit-log": "Audit log",
	webhooks: "Webhooks",
	health: "Service",
	"openapi.json": "Service",
};

/** Parts of a recording: its bytes, and files that are made of them. */
const FILES = new Set([
	...["clip", "digest", "first-difference", "frame", "last-passed", "live", "poster", "proof"],
	...["storyboard", "url", "video"],
]);

export const TAGS: readonly { name: string; description: string }[] = [
	{ name: "Jobs", description: "A job records one display of one runner until its stop condition is met." },
	{ name: "Schedules", description: "Jobs that are created again and again." },
	{ name: "Recordings", description: "The videos: list, share, mark and delete them." },
	{ name: "Recording files", description: "What a recording shows: its video, clips, frames, review cut and digest." },
	{
		name: "Builds",
		description: "What CI ran: builds with their reports, failed recordings, sessions of a grid, and totals.",
	},
	{ name: "Views", description: "Saved searches, and the labels that searches use." },
	{ name: "Tests", description: "Tests: their results, their history, and their failures by cause." },
	{ name: "Test runs", description: "Results without a recording, and the files of results." },
	{ name: "Uploads", description: "Resumable uploads by the tus 1.0 protocol." },
	{ name: "Shared recordings", description: "Recordings that share links show to people who are not signed in." },
	{ name: "Runners", description: "The machines that record." },
	{ name: "Runner tokens", description: "The credentials of runners." },
	{ name: "Events", description: "Changes as they happen, as server-sent events." },
	{
		name: "Webhooks",
		description: "Where events are sent to: signed requests, their log, and what they have in them.",
	},
	{ name: "Storage and retention", description: "Disk space, storage quota, and what is deleted when." },
	{ name: "Organization", description: "Members and invitations." },
	{ name: "API keys", description: "The credentials of programs, and signing in from a command line." },
	{ name: "Audit log", description: "Who changed what." },
	{ name: "Account", description: "A person's own account and sessions." },
	{ name: "Service", description: "The health of this dashboard, and this document." },
];

/** @returns the tag of a path such as `/v1/jobs/:jobId`. @throws for a resource without one. */
export function tagOf(path: string): string {
	const [, , segment = "", , part = ""] = path.split("/");
	if (segment === "recordings" && FILES.has(part)) return "Recording files";
	const tag = BY_SEGMENT[segment];
	if (tag === undefined) throw new Error(`${path} has no tag: add "${segment}" to lib/http/openapi/tags.ts.`);
	return tag;
}

/** A tag as it stands in an address: `runner-tokens`. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(" ", "-");
