/** Why a session was not recorded, in a sentence with the remedy. */
import type { MissReason } from "#lib/contract/session.ts";

export const MISS_LABELS: Record<MissReason, string> = {
	no_runner: "No runner records its node. Start one beside the node, with TAPEDECK_GRID_NODE.",
	runner_offline: "The runner of its node was offline. Check that it is running.",
	not_wanted: "Its capabilities asked for no recording.",
	display_unavailable: "Its display was not available. Check that the X server runs.",
	storage_full: "The runner's disk was full. Free some space.",
	recording_failed: "The recording failed. See the runner's log.",
};
