/** `tapedeck import` of an Allure folder with 20,000 files, by a real dashboard. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY } from "../../test/api-server.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";

const TESTS = 10_000;
const ATTACHED = 20;

test("an Allure folder with 20,000 files is imported whole, once, with the files that its results name", async () => {
	const api = await startTestApi();
	onTestFinished(() => api.stop());
	const folder = await temporaryFolder("many-files");
	for (let index = 0; index < TESTS; index += 1) {
		const source = `${index}-attachment.txt`;
		const result = {
			...{ uuid: `${index}`, name: `test ${index}`, status: "passed", stage: "finished" },
			...{ start: 1_795_000_000_000 + index, stop: 1_795_000_000_001 + index },
			attachments: index < ATTACHED ? [{ name: "Log", source, type: "text/plain" }] : [],
		};
		await writeFile(join(folder, `${index}-result.json`), JSON.stringify(result));
		await writeFile(join(folder, source), `log ${index}`);
	}
	const run = () => tapedeck(["import", folder], { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY });
	const { status, text } = await run();
	expect([status, text]).toEqual([0, expect.stringContaining("10000 test results (10000 passed) with 20 files")]);
	expect((await run()).text).toContain("were imported before");
}, 300_000);
