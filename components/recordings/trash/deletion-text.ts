import type { Deletion } from "@tapedeck/contract/deleted-recording.ts";

const BY_RETENTION = {
	request: "deleted",
	age: "deleted by the age limit",
	size: "deleted by the storage limit",
	disk: "deleted because the disk was too full",
	passed: "deleted because its test passed",
} satisfies Record<Deletion["reason"], string>;

/** The user or rule that deleted a recording: `deleted by Ada`. */
export const deletedByText = ({ reason, deletedBy }: Pick<Deletion, "reason" | "deletedBy">): string =>
	reason === "request" && deletedBy !== null ? `deleted by ${deletedBy}` : BY_RETENTION[reason];
