/** Keys of what live updates only call stale: they are on every page, what is fetched under them is not. */

export const markerKeys = { of: (recordingId: number) => ["markers", recordingId] as const };

export const memberKeys = {
	all: ["members"] as const,
	list: ["members", "list"] as const,
	invitations: ["members", "invitations"] as const,
};
