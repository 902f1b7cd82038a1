import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder, temporaryFolder } from "../../test/runners/runner-process.ts";
import { type JobOrder, Spool } from "./spool.ts";

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

test("a folder with an invalid manifest is listed as unreadable", async () => {
	await new Spool(folder).create(order, dashboard);
	await mkdir(join(folder, "jobs", "broken"));
	await writeFile(join(folder, "jobs", "broken", "manifest.json"), '{"version":1}');
	const { spools, unreadable } = await new Spool(folder).list();
	expect(spools.map(({ manifest }) => manifest.key)).toEqual([order.key]);
	expect(unreadable).toEqual(["broken"]);
});
