/** The words of bringing in videos that were made elsewhere. */

import { quoted } from "./isolated.ts";
import { counted } from "./words.ts";

export const uploadTexts = {
	uploadVideo: "Upload video",
	videoFile: "Video file",
	dropHere: "Drop videos here to upload them",
	dropHint: "MP4 or WebM",

	tray: "Uploads",
	underWay: (count: number) => `Uploading ${counted(count, "video", "videos")}`,
	allDone: (count: number) => `${counted(count, "upload has", "uploads have")} ended`,
	clear: "Clear finished",

	progressOf: (name: string) => `Upload of ${name}`,
	pause: (name: string) => `Pause upload of ${name}`,
	resume: (name: string) => `Resume upload of ${name}`,
	cancel: (name: string) => `Cancel upload of ${name}`,
	tryAgain: (name: string) => `Try the upload of ${name} again`,
	remove: (name: string) => `Remove ${name} from the list`,

	sent: (sent: string, all: string) => `${sent} of ${all}`,
	speed: (size: string) => `${size}/s`,
	left: (span: string) => `${span} left`,
	states: {
		waiting: "Waits for its turn",
		sending: "Uploading",
		checking: "Checking the file…",
		paused: "Paused",
		retrying: "Trying again",
		done: "Uploaded",
		failed: "Failed",
	},
	play: "Play",

	noVideo: (name: string) => `${quoted(name)} is no MP4 or WebM video. Nothing was uploaded.`,
	unreadable: (name: string) => `${quoted(name)} cannot be read. A folder has to be opened first.`,
	noRoom: (name: string, size: string, room: string) =>
		`${quoted(name)} has ${size}, and the dashboard’s disk has room for ${room} of videos. Delete recordings, or shorten their retention under Settings.`,
	noQuota: (name: string, size: string, room: string) =>
		`${quoted(name)} has ${size}, and your organization has room for ${room} more of recordings. Delete some, or ask who runs this dashboard for more.`,
	tooLarge: (name: string, size: string, most: string) =>
		`${quoted(name)} has ${size}, and a file may have at most ${most} here. Bring in a shorter or smaller video.`,
	notTakenAway: (name: string, why: string) =>
		`What the dashboard has of ${quoted(name)} could not be taken away; it goes by itself within a day. ${why}`,
} as const;
