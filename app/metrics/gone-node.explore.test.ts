/** A node that is killed, on several real dashboards: what the alert on lost nodes reads, until the node is removed. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#lib/db/open.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { startDashboards } from "#test/servers/dashboards.ts";

const TOKEN = "prometheus-0123456789abcdef";
const METRICS = { TAPEDECK_METRICS_TOKEN: TOKEN };
const SERVER = join(import.meta.dirname, "../../server.ts");

test("a node that was killed is gone until it returns or is removed; one that runs cannot be removed", async () => {
	const databaseUrl = await createPostgresDatabase();
	const { nodes, stop } = await startDashboards(2, databaseUrl, METRICS);
	onTestFinished(stop);
	const [here, there] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
	const gone = async () => {
		const headers = { authorization: `Bearer ${TOKEN}` };
		const text = await (await fetch(`${here.url}/metrics`, { headers })).text();
		return [...text.matchAll(/^tapedeck_node_gone_seconds\{node="(.*?)",url="(.*?)"\} \d/gm)].map(([, id, url]) => ({
			id,
			url,
		}));
	};
	const operate = async (...args: string[]) => {
		const env = {
			...process.env,
			TAPEDECK_DATABASE_URL: databaseUrl,
			TAPEDECK_DATA_DIR: here.dataDir,
			TAPEDECK_SECRET_KEY: "5e".repeat(32),
			TAPEDECK_URL: "http://tapedeck.test",
		};
		const done = promisify(execFile)(process.execPath, [SERVER, ...args], { env });
		return done.then(
			({ stdout }) => stdout,
			({ stderr }) => stderr as string,
		);
	};
	const { db } = openDatabase(databaseUrl);
	onTestFinished(() => db.destroy());
	const killAndExpire = async () => {
		await there.kill();
		// Its lease runs out meanwhile.
		await db.updateTable("dashboardNode").set({ until: 1 }).where("internalUrl", "=", there.url).execute();
	};
	expect(await gone()).toEqual([]);
	await killAndExpire();
	await expect.poll(gone).toEqual([{ id: expect.any(String), url: there.url }]);
	await there.start();
	await expect.poll(gone).toEqual([]);
	await killAndExpire();
	await expect.poll(gone).toHaveLength(1);
	const id = (await gone())[0]?.id ?? "";
	expect(await operate("remove-node", "unknown")).toContain(`There is no node unknown. Nodes that are gone: ${id}.`);
	expect(await operate("remove-node", id)).toContain(`The node ${id} is removed.`);
	expect(await gone()).toEqual([]);
	await there.start();
	expect(await operate("remove-node", id)).toContain("runs, or stopped less than 30 seconds ago");
});
