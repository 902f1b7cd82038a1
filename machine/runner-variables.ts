/** The environment variables of runners and their commands. */

/** Flags, with the variable and the help text of each. */
export const FLAGS = {
	url: ["TAPEDECK_URL", "the dashboard's base URL, such as http://tapedeck.example:3000"],
	token: [
		"TAPEDECK_TOKEN",
		"the runner token (prefer the variable: a flag is visible in the process list for a moment)",
	],
	name: ["TAPEDECK_RUNNER_NAME", "the runner's name; default the host name"],
	"data-dir": ["TAPEDECK_DATA_DIR", "identity and spool; default under the XDG state directory"],
	"auto-record": [
		"TAPEDECK_AUTO_RECORD",
		"true: start recording at once, without an API call; session: one recording for each session of the grid",
	],
	"job-name": ["TAPEDECK_JOB_NAME", "the auto-record job's name"],
	"grid-url": ["SE_GRID_URL", "the grid whose sessions auto-record and the browser log follow"],
	"grid-username": ["SE_GRID_USERNAME", "user name for the grid"],
	"grid-password": ["SE_GRID_PASSWORD", "password for the grid (prefer the variable, too)"],
	"grid-node": ["TAPEDECK_GRID_NODE", "the node of the grid whose sessions count: its id, URI or host; default all"],
	"browser-log": [
		"TAPEDECK_BROWSER_LOG",
		"true: record the console and the failed requests of the grid's browsers, too; default false",
	],
	"first-session-timeout": [
		"TAPEDECK_FIRST_SESSION_TIMEOUT",
		"auto-record: seconds to wait for a first session before the idle timer applies; default 60",
	],
	labels: ["TAPEDECK_LABELS", "labels of every job it takes, such as pool=linux,build=123"],
	keep: ["TAPEDECK_KEEP", "failed: recordings of tests that passed are deleted after a while; default always"],
	"max-duration": ["TAPEDECK_MAX_DURATION", "seconds after which a recording without a duration ends; default none"],
	"video-preset": ["TAPEDECK_VIDEO_PRESET", "balanced, sharp (larger files) or small; default balanced"],
	"video-crf": ["TAPEDECK_VIDEO_CRF", "instead of a preset: x264's quality from 0 (lossless) to 51; default 28"],
	"video-max-bitrate": ["TAPEDECK_VIDEO_MAX_BITRATE", "the most bits per second, such as 1000k; default no limit"],
	"video-fps": ["TAPEDECK_VIDEO_FPS", "frames per second, from 1 to 60; default 15"],
	"video-max-width": ["TAPEDECK_VIDEO_MAX_WIDTH", "pixels to scale a wider display down to; default no limit"],
	"video-max-height": ["TAPEDECK_VIDEO_MAX_HEIGHT", "pixels to scale a higher display down to; default no limit"],
	"video-cursor": ["TAPEDECK_VIDEO_CURSOR", "false: record without the pointer; default true"],
	"video-region": ["TAPEDECK_VIDEO_REGION", "the part of the display to record, such as 800x600+100+50; default all"],
	"video-window": [
		"TAPEDECK_VIDEO_WINDOW",
		"the window to record and follow: a part of its title, or its id such as 0x1e00003; default the whole display",
	],
	buffer: [
		"TAPEDECK_BUFFER",
		"how much of the past is kept of each display, such as 2m, for jobs with preSeconds and tapedeck save; default none",
	],
	"watch-dir": ["TAPEDECK_WATCH_DIR", "a folder whose files are uploaded once they are complete; default none"],
	"watch-exclude": [
		"TAPEDECK_WATCH_EXCLUDE",
		"patterns of files in it that are left out, such as *.tmp.mp4,drafts/**; default none",
	],
	"upload-dir": [
		"TAPEDECK_UPLOAD_DIR",
		"the folder whose files jobs of the type file_upload may upload; default that of --watch-dir",
	],
	"watch-max-bytes": ["TAPEDECK_WATCH_MAX_BYTES", "the largest file in it that is uploaded; default no limit"],
	"grid-allow": [
		"TAPEDECK_GRID_ALLOW",
		"grids that may be polled, such as http://selenium:4444,*.grid.example; default all",
	],
	"auto-upgrade": [
		"TAPEDECK_AUTO_UPGRADE",
		"true: follow the dashboard's version whenever there is nothing to record or upload; default false",
	],
	ephemeral: [
		"TAPEDECK_EPHEMERAL",
		"true: leave the dashboard's list once it has stopped and delivered everything; default false",
	],
	display: ["DISPLAY", "the display to record: :99, :99.0 or <host>:<number>"],
	"display-allow": ["TAPEDECK_DISPLAY_ALLOW", "displays that may be recorded, such as :99,:0.0; default all"],
	"virtual-displays": [
		"TAPEDECK_VIRTUAL_DISPLAYS",
		"how many virtual displays (Xvfb) it makes at a time for jobs that ask for a new one, such as 8; default 0",
	],
	"virtual-display-size": [
		"TAPEDECK_VIRTUAL_DISPLAY_SIZE",
		"their size unless another is asked for, and their color depth of 16 or 24, such as 1280x720x24; default 1920x1080x24",
	],
	ffmpeg: ["TAPEDECK_FFMPEG", "another ffmpeg than the one on the path"],
} as const satisfies Record<string, readonly [string, string]>;
export type Flag = keyof typeof FLAGS;

/** The variable by which `tapedeck run` starts a runner of its own; see Agent. */
export const TEMPORARY = "TAPEDECK_TEMPORARY_RUNNER";

/** For a recorded command: the folder of its recording in the spool, with which `tapedeck mark` finds its runner. */
export const RUN_FOLDER = "TAPEDECK_RUN";

/** Also of a recorded command: its job, and the page of it. */
export const JOB_ID = "TAPEDECK_JOB_ID";
export const JOB_URL = "TAPEDECK_JOB_URL";
/** Secrets that no log must show, one a line. */
export const MASK = "TAPEDECK_MASK";

/** Set by the Playwright reporter for the processes of its tests, which may start runners and commands. */
const PLAYWRIGHT_LINES = "TAPEDECK_PLAYWRIGHT_LINES";
const PLAYWRIGHT_DISPLAYS = "TAPEDECK_PLAYWRIGHT_DISPLAYS";
const PLAYWRIGHT_FILMS = "TAPEDECK_PLAYWRIGHT_FILMS";
const PLAYWRIGHT_VIDEO = "TAPEDECK_PLAYWRIGHT_VIDEO";

/** For commands that call the dashboard as a script does. */
export const API_KEY = "TAPEDECK_API_KEY";

/** The names of all variables that runners and commands read or set. */
export const RUNNER_VARIABLES: readonly string[] = [
	...Object.values(FLAGS).map(([variable]) => variable),
	...[TEMPORARY, RUN_FOLDER, JOB_ID, JOB_URL, API_KEY, MASK],
	...[PLAYWRIGHT_LINES, PLAYWRIGHT_DISPLAYS, PLAYWRIGHT_FILMS, PLAYWRIGHT_VIDEO],
];
