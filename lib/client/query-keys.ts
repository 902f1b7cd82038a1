/** Query keys that live updates invalidate. Separate and small, because every page loads them, unlike their queries. */

export const markerKeys = { of: (recordingId: number) => ["markers", recordingId] as const };

export const memberKeys = {
	all: ["members"] as const,
	list: ["members", "list"] as const,
	invitations: ["members", "invitations"] as const,
};
