/** Why a session was not recorded, in a sentence with the remedy. */
import type { MissReason } from "@tapedeck/contract/session.ts";

export const MISS_LABELS: Record<MissReason, string> = {
	no_runner: "No runner is assigned to this node. Start one there with TAPEDECK_GRID_NODE.",
	runner_offline: "The runner of this node was offline. Check that it is running.",
	not_wanted: "Opted out by its capabilities.",
	node_ambiguous: "Other nodes share the host in its runner's TAPEDECK_GRID_NODE. Set it to the node's URI.",
	display_unavailable: "Its display wasn't available. Check that the X server is running.",
	storage_full: "The runner's disk was full. Free some space.",
	recording_failed: "The recording failed. See the runner's log.",
};
