/** The words of the player: a recording that plays, its controls, its markers and its page. */
import type { Marker } from "#lib/contract/marker.ts";
import { quoted } from "./isolated.ts";

export const playerTexts = {
	controls: "Player controls",
	play: "Play",
	pause: "Pause",
	back: "Back 10 seconds",
	forward: "Forward 10 seconds",
	previousFrame: "Previous frame",
	nextFrame: "Next frame",
	speed: "Speed",
	speedOf: (speed: number) => `${speed}×`,
	fullScreen: "Full screen",
	leaveFullScreen: "Leave full screen",
	mute: "Mute",
	unmute: "Unmute",
	pictureInPicture: "Picture in picture",
	more: "More",
	keys: { play: "Space or K", previousFrame: "comma", nextFrame: "full stop" },
	withKeys: (label: string, keys: string) => `${label} (${keys})`,

	seek: "Seek",
	seekValue: (at: string, length: string) => `${at} of ${length}`,
	clock: (shown: string) => `Show ${shown}`,
	clockShows: { elapsed: "the time from the beginning", remaining: "the time that is left", time: "the time of day" },
	left: (time: string) => `−${time}`,
	withTenth: (clock: string, tenth: number) => `${clock}.${tenth}`,
	ofLength: (at: string, length: string) => `${at} / ${length}`,
	wallClock: (exact: string, utc: string) => `When this was on the screen: ${exact} (${utc})`,

	loopFrom: "Loop from here",
	loopTo: "Loop to here",
	clearLoop: "Clear the loop",
	loop: (start: string, end: string | null) => (end === null ? `Loop from ${start}…` : `Loop ${start} – ${end}`),

	copyFrame: "Copy frame as picture",
	saveFrame: "Save frame as picture",
	frameCopied: (at: string) => `Copied the picture at ${at}.`,
	frameSaved: (at: string) => `Saved the picture at ${at} as a file.`,
	frameSavedInstead: (at: string) =>
		`The browser does not allow copying pictures here. Saved the picture at ${at} as a file.`,
	noFrame: "There is no picture to copy yet.",
	frameFile: (name: string, at: string) => `${name} at ${at}.png`,

	copyLink: "Copy link at current time",
	linkCopied: (at: string) => `Copied the link at ${at}.`,
	notCopied: (link: string) => `The browser did not allow copying. The link is ${link}`,
	download: "Download",
	downloadOf: (size: string) => `Download (${size})`,
	delete: "Delete recording",
	share: "Share",

	live: "Live",
	goLive: "Go live",
	behind: (span: string) => `${span} behind`,
	stopped: "Stopped. The video is ready.",
	arriving: "This video is on its way. It plays here as soon as it is whole.",
	arrived: "The video is whole.",
	waiting: "Waiting for the first picture…",
	reconnecting: "The picture broke off. Connecting again…",
	unsupported: "This browser cannot show the live picture. The video plays here as soon as the recording has ended.",
	loading: "Loading…",

	gone: "The video’s file is gone.",
	unreachable: "The connection broke off. The video goes on where it was once Tapedeck answers.",
	undecodable: "The video cannot be played here. Try again; if that does not help, download it.",
	tryAgain: "Try again",
} as const;

export const markerTexts = {
	list: "Markers",
	add: "Add marker",
	kinds: { step: "Step", pass: "Passed", fail: "Failed", note: "Note", stall: "Stall" } satisfies Record<
		Marker["kind"],
		string
	>,
	prefix: (kind: string) => `${kind}: `,
	tick: (kind: string, label: string, at: string) => `${kind}: ${label} (${at})`,
	label: "Marker label",
	kind: "Marker kind",
	placeholder: (at: string) => `What happened at ${at}?`,
	save: "Save",
	cancel: "Cancel",
	delete: (label: string) => `Delete marker ${label}`,
	deleted: (label: string) => `Deleted the marker ${quoted(label)}.`,
	undo: "Undo",
	notAdded: (label: string, why: string) => `The marker ${quoted(label)} was not added. ${why}`,
	notDeleted: (label: string, why: string) => `The marker ${quoted(label)} was not deleted. ${why}`,
} as const;

export const recordingPageTexts = {
	back: "Recordings",
	notLoaded: (why: string) => `The recording could not be loaded. ${why}`,
	size: (width: number, height: number) => `${width} × ${height}`,
	uploaded: "Uploaded",
	job: (id: number) => `Job ${id}`,
	gone: "This recording is not here",
	goneWhy: "It was deleted, by hand or because it was older than the retention allows, or the link is not complete.",
	all: "All recordings",
	keys: "Press ? for all keys.",
} as const;
