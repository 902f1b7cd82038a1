/** Query keys that live updates invalidate. Separate and small, because every page loads them, unlike their queries. */

export const markerKeys = { of: (recordingId: number) => ["markers", recordingId] as const };

export const trackKeys = { of: (path: string) => ["tracks", path] as const };

export const testKeys = {
	all: ["tests"] as const,
	list: (filters: object) => ["tests", "list", filters] as const,
	one: (id: number) => ["tests", "one", id] as const,
	history: (of: object) => ["tests", "history", of] as const,
	summaries: (filters: object) => ["tests", "summaries", filters] as const,
};

export const memberKeys = {
	all: ["members"] as const,
	list: ["members", "list"] as const,
	invitations: ["members", "invitations"] as const,
};

export const buildKeys = {
	all: ["builds"] as const,
	list: ["builds", "list"] as const,
	one: (build: string) => ["builds", "one", build] as const,
};

export const jobCountKeys = {
	all: ["jobCounts"] as const,
	of: (filters: object) => ["jobCounts", filters] as const,
};
