import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder, temporaryFolder } from "#test/runners/runner-process.ts";
import { type JobSpool, Spool } from "../spool/spool.ts";
import { type Begun, beginCapture, type CaptureTools } from "./begin-capture.ts";

let folder: string;
let spool: JobSpool;
beforeEach(async () => {
	folder = await temporaryFolder();
	const order = { displayId: ":7", name: "a test", stopCondition: "interrupt", stopConditionConfig: {} } as const;
	const dashboard = { id: null, url: "http://localhost", organizationId: null };
	spool = await new Spool(folder).create({ ...order, id: 1, origin: "dashboard" }, dashboard);
});
afterEach(() => removeFolder(folder));

const display = { id: ":7", width: 64, height: 48, xName: ":7.0" };
const tools = {
	config: { ffmpeg: "/bin/false", childEnv: {} },
	displays: { waitFor: async () => display },
} as unknown as CaptureTools;
const begin = (): Promise<Begun | null> =>
	beginCapture(tools, spool, {
		...{ part: 1, frames: null, fit: null, displayWaitMs: 0 },
		stop: new AbortController().signal,
	});
/** The temporary file of the manifest, before it is renamed. */
const inTheWay = (): string => join(spool.folder, "manifest.json.new");

test("ffmpeg is not started before the manifest on disk has its part", async () => {
	await mkdir(inTheWay());
	expect(await begin()).toMatchObject({
		fault: { code: "ffmpeg_failed", what: expect.stringContaining("EISDIR") },
	});
	expect(await readdir(spool.folder)).not.toContain("part-1.log");
});

test("a manifest that could not be saved earlier does not prevent a start now", async () => {
	await mkdir(inTheWay());
	await spool.update(() => undefined);
	expect(spool.saveError).not.toBeNull();
	await rm(inTheWay(), { recursive: true });
	expect(await begin()).toMatchObject({ fault: { what: expect.stringContaining("status 1") } });
	expect(spool.saveError).toBeNull();
});

test("a failed attempt leaves no part in the manifest", async () => {
	expect(await begin()).toMatchObject({ fault: { code: "ffmpeg_failed" } });
	expect(spool.manifest.parts).toEqual([]);
});
