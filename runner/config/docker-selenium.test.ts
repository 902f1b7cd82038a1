import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const required = { TAPEDECK_URL: "http://tapedeck:3000", TAPEDECK_TOKEN: "a-token-of-twenty-characters" };
const read = (env: Record<string, string>) => readConfig([], { ...required, ...env });

test("the variables of docker-selenium's video container configure a recorder beside a browser's container", () => {
	const { autoRecord, display } = read({ DISPLAY_CONTAINER_NAME: "chrome", SE_VIDEO_FILE_NAME: "auto" });
	expect(autoRecord).toMatchObject({ eachSession: true, grid: { url: "http://chrome:5555", node: undefined } });
	expect(display).toMatchObject({ host: "chrome", number: 99 });
	const other = {
		DISPLAY_CONTAINER_NAME: "chrome",
		SE_NODE_PORT: "6666",
		SE_SERVER_PROTOCOL: "https",
		DISPLAY_NUM: "7",
	};
	expect(read({ ...other, TAPEDECK_AUTO_RECORD: "true" }).autoRecord).toMatchObject({
		eachSession: false,
		grid: { url: "https://chrome:6666" },
	});
});

test("the runner's own variables take precedence, and without a container's name the others mean nothing", () => {
	const { autoRecord } = read({
		...{ DISPLAY_CONTAINER_NAME: "chrome", SE_VIDEO_FILE_NAME: "auto", TAPEDECK_AUTO_RECORD: "session" },
		...{ SE_GRID_URL: "http://hub:4444/wd/hub", TAPEDECK_GRID_NODE: "http://chrome:5555", DISPLAY: ":5" },
	});
	expect(autoRecord?.grid).toMatchObject({ url: "http://hub:4444", node: "http://chrome:5555" });
	expect(read({ SE_VIDEO_FILE_NAME: "auto", SE_NODE_PORT: "6666" }).autoRecord).toBeNull();
});

test("docker-selenium's quality and bit rate count, unless the runner has its own", () => {
	const theirs = { DISPLAY_CONTAINER_NAME: "chrome", SE_VIDEO_CRF: "30", SE_VIDEO_MAXRATE: "1000k" };
	expect(read(theirs).video).toMatchObject({ crf: 30, maxBitrate: 1_000_000 });
	expect(read({ ...theirs, SE_FRAME_RATE: "24" }).video).toMatchObject({ framesPerSecond: 24 });
	expect(read({ ...theirs, TAPEDECK_VIDEO_CRF: "20" }).video).toMatchObject({ crf: 20, maxBitrate: 1_000_000 });
	expect(read({ ...theirs, TAPEDECK_VIDEO_PRESET: "sharp" }).video).toMatchObject({ preset: "sharp", crf: undefined });
});

test("docker-selenium's speed of the encoder and size of the screen are accepted, and change nothing", () => {
	const theirs = {
		SE_PRESET: "-preset ultrafast",
		SE_CODEC: "libx264",
		SE_SCREEN_WIDTH: "1360",
		SE_SCREEN_HEIGHT: "1020",
	};
	const container = { DISPLAY_CONTAINER_NAME: "chrome" };
	expect(read({ ...container, ...theirs })).toEqual(read(container));
});

test("a file name of docker-selenium's alone records nothing by itself", () => {
	expect(read({ DISPLAY_CONTAINER_NAME: "chrome", SE_VIDEO_FILE_NAME: "video.mp4" }).autoRecord).toBeNull();
});

test.each([["0"], ["61"], ["29.97"]])("SE_FRAME_RATE %s is refused with a sentence that says what to use", (rate) => {
	expect(() => read({ DISPLAY_CONTAINER_NAME: "chrome", SE_FRAME_RATE: rate })).toThrow(
		/Use a whole number of frames per second from 1 to 60/,
	);
});

test("a recording for each session needs a grid", () => {
	expect(() => read({ TAPEDECK_AUTO_RECORD: "session" })).toThrow(/SE_GRID_URL: Set it to the URL of the grid/);
	expect(() => read({ TAPEDECK_AUTO_RECORD: "sometimes" })).toThrow(/TAPEDECK_AUTO_RECORD: Use true, false or session/);
});
