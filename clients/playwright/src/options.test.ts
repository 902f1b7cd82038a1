import { expect, test } from "vitest";
import { placeOf } from "./options.ts";

test.each([
	["headless browsers", {}, false, {}, "own"],
	["headless browsers beside a display", {}, false, { DISPLAY: ":99" }, "own"],
	["shown browsers without a display", {}, true, {}, "own"],
	["browsers that are shown on a display", {}, true, { DISPLAY: ":99.0" }, "auto"],
	["a display that is named", { displayId: ":99" }, false, {}, "display"],
	["a runner that is named", { runner: "grid-1" }, false, {}, "display"],
	["labels of a runner", { selector: { labels: { pool: "web" } } }, false, {}, "display"],
	["a job that records already", {}, false, { TAPEDECK_JOB_ID: "7" }, "display"],
	["a test run that is asked for", { record: "own", displayId: ":99" }, true, { TAPEDECK_JOB_ID: "7" }, "own"],
	["a recording that is asked for", { record: "display" }, false, {}, "display"],
] as const)("results of %s go to the right place", (_what, options, isHeaded, env, place) => {
	expect(placeOf(options, isHeaded, env as unknown as NodeJS.ProcessEnv)).toBe(place);
});
