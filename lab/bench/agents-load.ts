/** The load of `agents.ts` in a process of its own: agents that call the tools of `/mcp` while their parent process wants it. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export interface AgentsLoad {
	url: string;
	apiKey: string;
	/** One that plays, to look at. */
	recordingId: number;
	count: number;
	/** Between two calls of an agent. */
	pauseMs: number;
}

interface Call {
	name: string;
	arguments: Record<string, unknown>;
}

/** The answer to each message of the parent process. */
export interface AgentsMeasure {
	/** The time of each call since the last message. */
	callMs: number[];
	failures: string[];
}

const MAX_FAILURES = 10;
/** So that two agents begin with other moments, and with other tools. */
const LOOKS_APART = 11;
const { url, apiKey, recordingId, count, pauseMs } = JSON.parse(process.env.BENCH_AGENTS ?? "{}") as AgentsLoad;
/** The calls of an agent that looks for an earlier failure and reads it. No two look at the same moments, which would be kept. */
const callOf = (index: number): Call => CALLS[index % CALLS.length]?.(index) ?? { name: "find", arguments: {} };
const CALLS: readonly ((index: number) => Call)[] = [
	() => ({ name: "find", arguments: { in: "recordings", q: "checkout" } }),
	() => ({ name: "find", arguments: { in: "jobs", q: "outcome:failed" } }),
	() => ({ name: "find", arguments: { in: "tests" } }),
	(index) => ({
		name: "look",
		arguments: { recording: recordingId, at: [1 + (index % 600) / 100, 7 + (index % 200) / 100] },
	}),
	() => ({ name: "explain_failure", arguments: { recording: recordingId } }),
];

let seen: AgentsMeasure = { callMs: [], failures: [] };
let isWorking = false;

async function agent(place: number): Promise<void> {
	const client = new Client({ name: `agent ${place}`, version: "1" }, { versionNegotiation: { mode: "auto" } });
	const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
	await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
	void (async () => {
		await sleep((place * pauseMs) / count);
		for (let index = place * LOOKS_APART; ; index += 1) {
			if (isWorking) await callOnce(client, callOf(index));
			await sleep(pauseMs);
		}
	})();
}

async function callOnce(client: Client, call: Call): Promise<void> {
	const began = performance.now();
	try {
		const { isError, content } = await client.callTool(call);
		if (isError === true) throw new Error(`${call.name}: ${JSON.stringify(content)}`);
		seen.callMs.push(performance.now() - began);
	} catch (error) {
		if (seen.failures.length < MAX_FAILURES) seen.failures.push((error as Error).message);
	}
}

await Promise.all(Array.from({ length: count }, (_, place) => agent(place)));
process.on("message", (message: "work" | "rest") => {
	isWorking = message === "work";
	process.send?.(seen);
	seen = { callMs: [], failures: [] };
});
process.on("disconnect", () => process.exit(0));
process.send?.(seen);
