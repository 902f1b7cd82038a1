/** 15,000 files appear at once in a watched folder, and the runner is killed while it uploads them. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "../../test/api-server.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const FILES = 15_000;
const IN_A_FOLDER = 500;
/** An idle runner has about 100 MiB. */
const MOST_MEMORY_KIB = 300 * 1_024;

const scene = runnerScene({ display: null });
let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

const names = async (): Promise<string[]> => {
	const rows = await api.app.db.selectFrom("recording").select("name").where("state", "=", "ready").execute();
	return rows.map(({ name }) => name);
};

/** The most memory that the current runner has had so far, in KiB. */
async function mostMemory(): Promise<number> {
	const status = await readFile(`/proc/${scene.runner.process.pid}/status`, "utf8");
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
}

test("15,000 files that appear at once are uploaded once each, also when the runner is killed meanwhile", async () => {
	const [watched, next] = [join(scene.folder, "watched"), join(scene.folder, "next")];
	await mkdir(watched);
	for (let from = 0; from < FILES; from += IN_A_FOLDER) {
		const folder = join(next, `${from}`);
		await mkdir(folder, { recursive: true });
		const those = Array.from({ length: IN_A_FOLDER }, (_, index) => from + index);
		await Promise.all(those.map((id) => writeFile(join(folder, `${id}.log`), `line ${id}\n`.repeat(100))));
	}
	const start = () =>
		scene.start({ url: api.url, env: { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, TAPEDECK_WATCH_DIR: watched } });
	await start();
	await rename(next, join(watched, "all"));
	const began = performance.now();
	await until(async () => (await names()).length > FILES / 10, "a tenth is uploaded", 600_000);
	const memory = [await mostMemory()];
	await scene.kill();
	await start();
	await until(async () => (await names()).length >= FILES, "all are uploaded", 1_200_000);
	const seconds = Math.round((performance.now() - began) / 1_000);
	memory.push(await mostMemory());
	console.log(`${FILES} files in ${seconds} s; the runner had at most ${memory.join(" and ")} KiB`);
	const found = await names();
	expect(found).toHaveLength(FILES);
	expect(new Set(found).size).toBe(FILES);
	for (const kib of memory) expect(kib).toBeLessThan(MOST_MEMORY_KIB);
}, 1_900_000);
