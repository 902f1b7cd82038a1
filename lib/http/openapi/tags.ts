/** The groups of operations in the OpenAPI document, in the order of the reference. */

const BY_SEGMENT: Readonly<Record<string, string>> = {
	jobs: "Jobs",
	schedules: "Jobs",
	recordings: "Recordings",
	"deleted-recordings": "Recordings",
	sessions: "Recordings",
	labels: "Recordings",
	views: "Recordings",
	builds: "Recordings",
	failures: "Recordings",
	"test-runs": "Tests",
	attachments: "Tests",
	tests: "Tests",
	"test-history": "Tests",
	"test-summaries": "Tests",
	"test-failures": "Tests",
	"failure-triage": "Tests",
	coverage: "Recordings",
	"daily-totals": "Recordings",
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
	"api-keys": "Organization",
	"device-sign-ins": "Organization",
	"audit-log": "Organization",
	webhooks: "Webhooks",
	health: "Service",
	"openapi.json": "Service",
};

export const TAGS: readonly { name: string; description: string }[] = [
	{ name: "Jobs", description: "A job records one display of one runner until its stop condition is met." },
	{ name: "Recordings", description: "The videos: list, play, share, mark and delete them." },
	{ name: "Tests", description: "Tests: their results, their history, and their failures by cause." },
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
	{ name: "Organization", description: "Members, invitations, API keys and the audit log." },
	{ name: "Account", description: "A person's own account and sessions." },
	{ name: "Service", description: "The health of this dashboard, and this document." },
];

/** @returns the tag of a path such as `/v1/jobs/:jobId`. @throws for a resource without one. */
export function tagOf(path: string): string {
	const segment = path.split("/")[2] ?? "";
	const tag = BY_SEGMENT[segment];
	if (tag === undefined) throw new Error(`${path} has no tag: add "${segment}" to lib/http/openapi/tags.ts.`);
	return tag;
}

/** A tag as it stands in an address: `runner-tokens`. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(" ", "-");
