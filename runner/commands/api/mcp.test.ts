/** `tapedeck mcp` with the official client. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { startChild } from "../../../test/processes/child.ts";
import { TAPEDECK } from "../../../test/processes/tapedeck-command.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

type Mode = "legacy" | { pin: string };
async function connect(mode: Mode, key = TEST_API_KEY): Promise<Client> {
	const client = new Client({ name: "test-agent", version: "1" }, { versionNegotiation: { mode } });
	const env = { PATH: process.env.PATH ?? "", TAPEDECK_URL: api.url, TAPEDECK_API_KEY: key };
	await client.connect(new StdioClientTransport({ command: TAPEDECK, args: ["mcp"], env }));
	onTestFinished(() => client.close());
	return client;
}

test.each(["legacy" as const, { pin: "2026-07-28" }])("a client of the version %o calls the tools", async (mode) => {
	const client = await connect(mode);
	expect((await client.listTools()).tools).toHaveLength(7);
	expect(await client.callTool({ name: "find", arguments: { in: "jobs" } })).toMatchObject({
		content: [{ type: "text", text: "No jobs match." }],
	});
	expect(await client.callTool({ name: "record_stop", arguments: { job: 1 } })).toMatchObject({ isError: true });
	expect((await client.readResource({ uri: "ui://tapedeck/clip" })).contents).toHaveLength(1);
});

test("a client learns why the dashboard refuses it", async () => {
	await expect(connect("legacy", "tdk_wrong")).rejects.toThrow("refused the API key. Check TAPEDECK_API_KEY");
});

test("faults of the protocol reach the client with their codes", async () => {
	const env = { ...process.env, TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
	const child = startChild(TAPEDECK, ["mcp"], { env, stdio: ["pipe", "pipe", "pipe"] });
	onTestFinished(async () => void (await child.stop()));
	const stdin = child.process.stdin;
	stdin?.write("no JSON\n");
	await child.says('{"jsonrpc":"2.0","id":null,"error":{"code":-32700');
	const _meta = { "io.modelcontextprotocol/protocolVersion": "2031-01-01" };
	stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list", params: { _meta } })}\n`);
	await child.says('"id":7');
	expect(child.output()).toMatch(/"code":-3\d{4}/);
	stdin?.end();
	expect(await child.exited).toBe(0);
});
