/** `tapedeck mcp` without an API key, with the official client: the runner of the machine records. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { TAPEDECK, tapedeck } from "../../test/processes/tapedeck-command.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";

const scene = runnerScene();
beforeEach(async () => {
	await scene.start();
});

type Mode = "legacy" | { pin: string };
async function connect(mode: Mode) {
	const client = new Client({ name: "test-agent", version: "1" }, { versionNegotiation: { mode } });
	const env = { PATH: process.env.PATH ?? "", HOME: scene.dataDir, TAPEDECK_DATA_DIR: scene.dataDir };
	await client.connect(new StdioClientTransport({ command: TAPEDECK, args: ["mcp"], env }));
	onTestFinished(() => client.close());
	const call = async (name: string, input: Record<string, unknown>) => {
		const { content, isError = false } = await client.callTool({ name, arguments: input });
		const [{ text }] = content as unknown as [{ text: string }];
		return { text, isError };
	};
	return { client, call };
}

test.each([
	"legacy" as const,
	{ pin: "2026-07-28" },
])("an agent of the version %o records a display of its machine without an API key", async (mode) => {
	const { client, call } = await connect(mode);
	expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
		...["record_start", "record_mark", "record_stop"],
	]);
	const order = { name: "Fix of the cart", display: scene.display.id, labels: { branch: "main" }, max_minutes: 5 };
	const starts = await Promise.all([call("record_start", order), call("record_start", order)]);
	const [, id = ""] = /^Job (\d+) records :\d+ since \S+, for at most 5 min\. Page: http/.exec(starts[0].text) ?? [];
	expect(starts[1].text).toBe(starts[0].text);
	expect((await call("record_mark", { job: id, label: "Pay is clicked", kind: "step" })).text).toMatch(
		new RegExp(`^Marked job ${id} at [\\d.]+ s\\.$`),
	);
	const stopped = await call("record_stop", { job: Number(id), outcome: "passed", proof: true });
	expect(stopped.text).toMatch(new RegExp(`^Job ${id} has [\\d.]+ s of video\\. Page: http\\S+/jobs/${id}\nNo proof`));
	expect((await call("record_stop", { job: id })).text).toContain(`Job ${id} has `);
	const job = scene.dashboard.jobs.get(Number(id));
	expect(job).toMatchObject({ uploadComplete: true, order: { name: "Fix of the cart" } });
	expect(scene.dashboard.autoJobs).toMatchObject([
		{ labels: { agent: "test-agent", branch: "main" }, maxDurationSeconds: 300 },
	]);
	expect(job?.reports).toContainEqual(expect.objectContaining({ type: "command_ended", outcome: "passed" }));
});

test("wrong input is an error with a remedy, and the other tools need a key", async () => {
	const { client, call } = await connect("legacy");
	expect(await call("record_start", { name: "x", display: ":4999" })).toMatchObject({ isError: true });
	expect(await call("record_start", { title: "x" })).toMatchObject({
		isError: true,
		text: expect.stringContaining("name: "),
	});
	expect(await call("record_stop", { job: 999 })).toEqual({
		isError: true,
		text: "job: This machine does not record job 999. Send job as record_start answered.",
	});
	await expect(client.callTool({ name: "look", arguments: {} })).rejects.toThrow(
		"look needs an API key: run tapedeck login.",
	);
});

test("a machine without a runner says what to set", async () => {
	await scene.runner.stop();
	const env = { TAPEDECK_URL: scene.dashboard.url, TAPEDECK_DATA_DIR: scene.dataDir };
	const { status, text } = await tapedeck(["mcp"], env);
	expect({ status, text }).toEqual({ status: 2, text: expect.stringContaining("Set TAPEDECK_API_KEY") });
});
