import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newPart } from "../../test/runners/job-spool.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { type JobOrder, readManifest, Spool } from "./spool.ts";

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder("spool");
});

const dashboard = { id: "a dashboard's id", url: "http://localhost", organizationId: 1 };
const order: JobOrder = {
	...{
		id: null,
		key: "a-key-of-its-own",
		origin: "auto-record",
		displayId: ":7",
		name: "Auto-record of :7",
		named: false,
	},
	...{ stopCondition: "interrupt", stopConditionConfig: {} },
};

test("a folder with an invalid manifest is listed as unreadable", async () => {
	await new Spool(folder).create(order, dashboard);
	await mkdir(join(folder, "jobs", "broken"));
	await writeFile(join(folder, "jobs", "broken", "manifest.json"), '{"version":1}');
	const { spools, unreadable } = await new Spool(folder).list();
	expect(spools.map(({ manifest }) => manifest.key)).toEqual([order.key]);
	expect(unreadable).toEqual(["broken"]);
});

test("a recording keeps the options that it was ordered with, whatever a restarted runner is configured to do", async () => {
	const video = { preset: "sharp", framesPerSecond: 30, maxWidth: 640 } as const;
	await new Spool(folder).create({ ...order, video }, dashboard);
	const [spool] = (await new Spool(folder).list()).spools;
	expect(spool?.manifest.video).toEqual({ ...video, crf: 19, cursor: true });
});

test.each([
	[undefined, { preset: "balanced", crf: 28, cursor: true }],
	[null, { preset: "balanced", crf: 28, cursor: true }],
	[
		{ preset: "small", cursor: false },
		{ preset: "small", crf: 33, cursor: false },
	],
	[
		{ preset: "balanced", crf: 20, cursor: true },
		{ preset: "balanced", crf: 20, cursor: true },
	],
])("a manifest of an earlier version, with the options %j, means 15 frames a second", async (video, expected) => {
	const { manifest } = await new Spool(folder).create(order, dashboard);
	const path = join(folder, "manifest.json");
	await writeFile(path, JSON.stringify({ ...manifest, video }));
	expect((await readManifest(path))?.video).toEqual({ ...expected, framesPerSecond: 15 });
});

test("a manifest of an earlier version, without privacy, is of a recording that shows its display", async () => {
	const { manifest } = await new Spool(folder).create(order, dashboard);
	const { privacy: _privacy, privacyReported: _reported, ...earlier } = manifest;
	const { isPrivate: _isPrivate, ...part } = newPart(1);
	const path = join(folder, "manifest.json");
	await writeFile(path, JSON.stringify({ ...earlier, parts: [part] }));
	expect(await readManifest(path)).toMatchObject({
		privacy: { version: 0, on: false },
		privacyReported: { version: 0, on: false, stretches: [] },
		parts: [{ isPrivate: false }],
	});
});
