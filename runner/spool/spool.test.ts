import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder, temporaryFolder } from "#test/runners/runner-process.ts";
import { type JobOrder, JobSpool, readManifest, Spool } from "./spool.ts";

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder();
});
afterEach(() => removeFolder(folder));

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

/** Writes a manifest in the format before `origin`. */
async function writtenBefore(change: object): Promise<JobSpool> {
	const spool = await new Spool(folder).create(order, dashboard);
	const path = join(spool.folder, "manifest.json");
	const { origin: _origin, named: _named, ...manifest } = JSON.parse(await readFile(path, "utf8"));
	await writeFile(path, JSON.stringify({ ...manifest, ...change }));
	const read = await readManifest(path);
	if (read === null) throw new Error("The manifest was not read.");
	return new JobSpool(spool.folder, read);
}

const auto = { displayId: ":7", at: "2026-11-20T10:00:00.000Z", stopCondition: "interrupt", stopConditionConfig: {} };

test.each([
	["a job of the dashboard", { jobId: 3, key: "job-key-3", auto: null }, "dashboard", "job-key-3"],
	["auto-record", { jobId: null, key: null, auto: { ...auto, key: "auto-key" } }, "auto-record", "auto-key"],
	["a command", { jobId: null, key: null, auto: { ...auto, key: "command-1", name: "x" } }, "command", "command-1"],
	[
		"auto-record, at a dashboard without keys",
		{ jobId: 3, key: null, auto: { ...auto, key: "k" } },
		"auto-record",
		null,
	],
])("the origin of a manifest of the previous version: %s", async (_what, change, origin, key) => {
	expect((await writtenBefore(change)).manifest).toMatchObject({ origin, key });
});

test("a recording started by the previous version requests its job with the same key, start and name", async () => {
	const { at, displayId } = auto;
	const unnamed = await writtenBefore({ jobId: null, key: null, auto: { ...auto, key: "auto-key" } });
	const creation = { key: "auto-key", at, displayId, stopCondition: "interrupt", stopConditionConfig: {} };
	expect(unnamed.creation).toEqual(creation);
	const named = await writtenBefore({
		jobId: null,
		key: null,
		name: "x",
		auto: { ...auto, key: "command-1", name: "x" },
	});
	expect(named.creation).toEqual({ ...creation, key: "command-1", name: "x" });
});

test("a folder with an invalid manifest is listed as unreadable", async () => {
	await new Spool(folder).create(order, dashboard);
	await mkdir(join(folder, "jobs", "broken"));
	await writeFile(join(folder, "jobs", "broken", "manifest.json"), '{"version":1}');
	const { spools, unreadable } = await new Spool(folder).list();
	expect(spools.map(({ manifest }) => manifest.key)).toEqual([order.key]);
	expect(unreadable).toEqual(["broken"]);
});
