/** Schemathesis generates calls from the OpenAPI document and makes them to the running server. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestApi, TEST_API_KEY } from "#test/api-server.ts";
import { schemathesisPython } from "../bin/setup/external-programs.mjs";

const CHECKS = [
	...["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"],
	...["response_headers_conformance", "ignored_auth", "use_after_free", "allow_header_conformance"],
];

/** Hooks that serialize the generated input of a track: lines of JSON. */
const HOOKS = `
import json
import schemathesis

@schemathesis.serializer("application/x-ndjson")
def ndjson(ctx, value):
    if isinstance(value, (bytes, str)):
        return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    lines = value if isinstance(value, list) else [value]
    return "".join(json.dumps(line, default=str) + chr(10) for line in lines).encode()
`;

const SEEDS = ["1", "2", "3"];

test.each(
	SEEDS,
)("no call that the contract allows, or almost allows, is answered outside of it, or with a 5xx (seed %s)", async (seed) => {
	const api = await startTestApi();
	await api.signIn("box");
	// It writes its results to its working directory.
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-schemathesis-"));
	await writeFile(join(folder, "tapedeck_hooks.py"), HOOKS);
	// waitFor holds its answer until the job has ended: it should not take a minute each time.
	const ending = setInterval(() => void endJobs(), 250);
	const endJobs = async () => {
		const { body } = await api.call("GET", "/v1/jobs?status=queued");
		for (const { id } of body.data) await api.call("POST", `/v1/jobs/${id}/cancel`);
	};
	try {
		const { code, output } = await run(folder, [
			...["run", `${api.url}/v1/openapi.json`, "--header", `Authorization: Bearer ${TEST_API_KEY}`],
			...["--checks", CHECKS.join(","), "--phases", "examples,coverage,fuzzing", "--max-examples", "25"],
			// It has no videos to send.
			...["uploadRecording", "createUpload", "appendToUpload"].flatMap((id) => ["--exclude-operation-id", id]),
			// A stream of events has no end to wait for.
			...["--exclude-path", "/v1/events", "--seed", seed, "--request-timeout", "65", "--no-color"],
		]);
		expect(code, output).toBe(0);
		expect(output).toMatch(/\d{3,} generated/);
	} finally {
		clearInterval(ending);
		await api.stop();
		await rm(folder, { recursive: true, force: true });
	}
}, 600_000);

function run(cwd: string, args: string[]): Promise<{ code: number | null; output: string }> {
	return new Promise((resolve, reject) => {
		const child = spawn(join(schemathesisPython, "..", "schemathesis"), args, {
			cwd,
			env: { ...process.env, PYTHONPATH: cwd, SCHEMATHESIS_HOOKS: "tapedeck_hooks" },
			stdio: ["ignore", "pipe", "pipe"],
		});
		const chunks: Buffer[] = [];
		child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
		child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
		child.on("error", reject);
		child.on("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
	});
}
