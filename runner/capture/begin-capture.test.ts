import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder, temporaryFolder } from "#test/runners/runner-process.ts";
import { type Begun, beginCapture } from "../begin-capture.ts";
import type { Services } from "../services.ts";
import { type JobSpool, Spool } from "../spool.ts";

let folder: string;
let spool: JobSpool;
beforeEach(async () => {
	folder = await temporaryFolder();
	const order = { displayId: ":7", name: "a test", stopCondition: "interrupt", stopConditionConfig: {} } as const;
	const dashboard = { id: null, url: "http://localhost", organizationId: null };
	spool = await new Spool(folder).create({ ...order, id: 1, auto: null }, dashboard);
});
afterEach(() => removeFolder(folder));

const display = { id: ":7", width: 64, height: 48, xName: ":7.0" };
const services = {
	config: { ffmpeg: "/bin/false", childEnv: {} },
	displays: { waitFor: async () => display },
} as unknown as Services;
const begin = (): Promise<Begun | null> =>
	beginCapture(services, spool, {
		...{ part: 1, frames: null, fit: null, displayWaitMs: 0 },
		stop: new AbortController().signal,
	});
/** Where the manifest is written before it takes its name. */
const inTheWay = (): string => join(spool.folder, "manifest.json.new");

test("no ffmpeg is started that the manifest on disk does not know", async () => {
	await mkdir(inTheWay());
	expect(await begin()).toMatchObject({
		fault: { reason: "ffmpeg_failed", message: expect.stringContaining("EISDIR") },
	});
	expect(await readdir(spool.folder)).not.toContain("part-1.log");
});

test("a manifest that could not be saved a while ago keeps nothing from beginning now", async () => {
	await mkdir(inTheWay());
	await spool.update(() => undefined);
	expect(spool.saveError).not.toBeNull();
	await rm(inTheWay(), { recursive: true });
	expect(await begin()).toMatchObject({ fault: { message: expect.stringContaining("status 1") } });
	expect(spool.saveError).toBeNull();
});

test("an attempt that failed leaves no part in the manifest", async () => {
	expect(await begin()).toMatchObject({ fault: { reason: "ffmpeg_failed" } });
	expect(spool.manifest.parts).toEqual([]);
});
