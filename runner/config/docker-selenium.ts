/**
 * The variables of docker-selenium's video container, so that a runner can stand in its place: the display and the
 * status of the browser's container, and one video for each session.
 */
import type { Flag } from "@tapedeck/machine/runner-variables.ts";
import type { Environment } from "./settings.ts";

const NODE_PORT = "5555";
const DISPLAY_NUMBER = "99";

/** @returns settings for values that the runner's own variables do not set. */
export function dockerSeleniumSettings(env: Environment): Partial<Record<Flag, string>> {
	const container = env.DISPLAY_CONTAINER_NAME?.trim();
	if (!container) return {};
	const protocol = env.SE_SERVER_PROTOCOL || "http";
	const number = env.DISPLAY_NUM || env.SE_DISPLAY_NUM || DISPLAY_NUMBER;
	return {
		display: `${container}:${number}`,
		// The node's own status: only its sessions are on this display.
		"grid-url": `${protocol}://${container}:${env.SE_NODE_PORT || NODE_PORT}`,
		...(env.SE_VIDEO_FILE_NAME === "auto" ? { "auto-record": "session" } : {}),
		// The runner's own preset has a crf of its own.
		...(env.SE_VIDEO_CRF && !env.TAPEDECK_VIDEO_PRESET ? { "video-crf": env.SE_VIDEO_CRF } : {}),
		...(env.SE_FRAME_RATE ? { "video-fps": env.SE_FRAME_RATE } : {}),
		...(env.SE_VIDEO_MAXRATE ? { "video-max-bitrate": env.SE_VIDEO_MAXRATE } : {}),
	};
}
