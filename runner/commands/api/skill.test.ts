import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY } from "../../../test/api-server.ts";
import { tapedeck } from "../../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";

test("the skill of the dashboard is written to the folders in which agents look for it", async () => {
	const api = await startTestApi();
	onTestFinished(() => api.stop());
	const folder = await temporaryFolder("skill");
	const env = { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
	const answer = await tapedeck(["skill", "install", "--folder", folder, "--json"], env);
	const files = [".agents", ".claude"].map((agents) => join(folder, agents, "skills/tapedeck/SKILL.md"));
	expect(answer.data()).toEqual({ files });
	const { body } = await api.call("GET", "/skill.md");
	for (const file of files) expect(await readFile(file, "utf8")).toBe(body);
	const refused = await tapedeck(["skill", "install", "--folder", String(files[0])], env);
	expect([refused.status, refused.text]).toEqual([1, expect.stringContaining("The skill can't be written: ")]);
	const nowhere = await tapedeck(["skill", "install", "--folder", "/proc/nowhere"], env);
	expect([nowhere.status, nowhere.text]).toEqual([1, expect.stringContaining("The skill can't be written: ")]);
});
