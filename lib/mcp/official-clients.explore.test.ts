/**
 * The protocol's own tests, and its official clients of both generations in two languages. The tests and clients that
 * need tools of the protocol's example server do not apply.
 */
import { execFile } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { root } from "#test/stack.ts";
import { mcpPython, mcpToolsFolder, olderMcpPython } from "../../bin/setup/external-programs.mjs";

const run = promisify(execFile);
const NAMES = ["record_start", "record_mark", "record_stop", "look", "clip", "find", "explain_failure"];
const PROGRAM = join(root, "bin", "tapedeck");

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api?.stop());

/** The protocol's tests cannot send a key. @returns the address of a proxy that adds one. */
async function withKey(): Promise<string> {
	const { port, origin } = new URL(api.url);
	const proxy = createServer((incoming, answer) => {
		const isOwn = incoming.headers.origin === `http://${own}`;
		const headers = {
			...incoming.headers,
			...(isOwn ? { origin } : {}),
			authorization: `Bearer ${TEST_API_KEY}`,
		};
		const passed = request({ port, path: incoming.url, method: incoming.method, headers }, (response) => {
			answer.writeHead(response.statusCode ?? 502, response.headers);
			response.pipe(answer);
		});
		passed.on("error", () => answer.destroy());
		incoming.pipe(passed);
	});
	await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void proxy.close());
	const own = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	return `http://${own}/mcp`;
}

test.each([
	"server-initialize",
	"ping",
	"tools-list",
	"dns-rebinding-protection",
])("the protocol's test %s passes", async (scenario) => {
	const program = join(mcpToolsFolder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
	const args = [program, "server", "--url", await withKey(), "--scenario", scenario];
	const { stdout } = await run(process.execPath, args, { cwd: api.dataDir });
	expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
});

const OLDER_CLIENT = `
const [base, url, key, program] = process.argv.slice(1);
const { Client } = await import(base + "/client/index.js");
const { StreamableHTTPClientTransport } = await import(base + "/client/streamableHttp.js");
const { StdioClientTransport } = await import(base + "/client/stdio.js");
const requestInit = { headers: { authorization: "Bearer " + key } };
const env = { ...process.env, TAPEDECK_URL: url, TAPEDECK_API_KEY: key };
const seen = [];
for (const transport of [
	new StreamableHTTPClientTransport(new URL(url + "/mcp"), { requestInit }),
	new StdioClientTransport({ command: program, args: ["mcp"], env }),
]) {
	const client = new Client({ name: "older", version: "1" });
	await client.connect(transport);
	const { tools } = await client.listTools();
	const found = await client.callTool({ name: "find", arguments: { in: "jobs" } });
	const wrong = await client.callTool({ name: "record_stop", arguments: { job: 99 } });
	seen.push([tools.map(({ name }) => name), found.content[0].text, wrong.isError]);
	await client.close();
}
console.log(JSON.stringify(seen));
`;

const EXPECTED = [NAMES, "No jobs match.", true];

test("the client of the generation before calls the tools, by HTTP and by tapedeck mcp", async () => {
	const base = pathToFileURL(join(mcpToolsFolder, "node_modules", "@modelcontextprotocol", "sdk", "dist", "esm")).href;
	const args = ["--input-type=module", "-e", OLDER_CLIENT, base, api.url, TEST_API_KEY, PROGRAM];
	const { stdout } = await run(process.execPath, args);
	expect(JSON.parse(stdout)).toEqual([EXPECTED, EXPECTED]);
});

const PYTHON_CLIENT = `
import asyncio, json, os, sys
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
url, key, program = sys.argv[1:]
async def main():
    seen = []
    env = {**os.environ, "TAPEDECK_URL": url, "TAPEDECK_API_KEY": key}
    for mode in ("legacy", "2026-07-28", "auto"):
        http = create_mcp_http_client(headers={"authorization": "Bearer " + key})
        for transport in (
            streamable_http_client(url + "/mcp", http_client=http),
            stdio_client(StdioServerParameters(command=program, args=["mcp"], env=env)),
        ):
            async with Client(transport, mode=mode) as client:
                tools = [tool.name for tool in (await client.list_tools()).tools]
                found = await client.call_tool("find", {"in": "jobs"})
                wrong = await client.call_tool("record_stop", {"job": 99})
                seen.append([tools, found.content[0].text, wrong.is_error])
    print(json.dumps(seen))
asyncio.run(main())
`;

test("the client for Python calls the tools in each generation of the protocol, by HTTP and by tapedeck mcp", async () => {
	const { stdout } = await run(mcpPython as string, ["-c", PYTHON_CLIENT, api.url, TEST_API_KEY, PROGRAM]);
	expect(JSON.parse(stdout)).toEqual(Array(6).fill(EXPECTED));
});

const OLDER_PYTHON_CLIENT = `
import asyncio, json, sys
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
url, key = sys.argv[1:]
async def main():
    async with streamablehttp_client(url + "/mcp", headers={"authorization": "Bearer " + key}) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = [tool.name for tool in (await session.list_tools()).tools]
            found = await session.call_tool("find", {"in": "jobs"})
            wrong = await session.call_tool("record_stop", {"job": 99})
            print(json.dumps([tools, found.content[0].text, wrong.isError]))
asyncio.run(main())
`;

test("the client for Python of the generation before calls the tools", async () => {
	const { stdout } = await run(olderMcpPython as string, ["-c", OLDER_PYTHON_CLIENT, api.url, TEST_API_KEY]);
	expect(JSON.parse(stdout)).toEqual(EXPECTED);
});

test("skills-ref finds the skill valid", async () => {
	const args = ["-m", "skills_ref.cli", "validate", join(root, "skills", "tapedeck")];
	const { stdout } = await run(mcpPython as string, args);
	expect(stdout).toContain("Valid skill");
});
