import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WorkerThread } from "./worker-thread.ts";

/** Answers with its own number and how often it was asked. */
const THREAD = `
import { threadId } from "node:worker_threads";
import { answerQuestions } from ${JSON.stringify(new URL("./worker-thread.ts", import.meta.url).href)};
let asked = 0;
answerQuestions((question) => {
	if (question === "fail") throw new Error("No answer to this one.");
	if (question === "end") process.exit(1);
	asked += 1;
	return { question, asked, threadId };
});
`;

type Answer = { question: string; asked: number; threadId: number };

let folder: string;
let file: URL;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-thread-"));
	file = pathToFileURL(join(folder, "thread.mjs"));
	await writeFile(file, THREAD);
});
afterAll(() => rm(folder, { recursive: true }));

test("a thread answers several questions at once, each with its own answer", async () => {
	const thread = new WorkerThread<string, Answer>(file);
	const answers = await Promise.all(["first", "second", "third"].map((question) => thread.ask(question)));
	expect(answers.map(({ question, asked }) => [question, asked])).toEqual([
		["first", 1],
		["second", 2],
		["third", 3],
	]);
	await thread.close();
});

test("a question that fails rejects with the reason, and the thread stays", async () => {
	const thread = new WorkerThread<string, Answer>(file);
	await expect(thread.ask("fail")).rejects.toThrow("No answer to this one.");
	expect(await thread.ask("next")).toMatchObject({ asked: 1 });
	await thread.close();
});

test("a thread that ends rejects its questions, and the next one starts another thread", async () => {
	const thread = new WorkerThread<string, Answer>(file);
	const { threadId } = await thread.ask("first");
	await expect(thread.ask("end")).rejects.toThrow("The thread of thread.mjs has ended.");
	const next = await thread.ask("second");
	expect(next.asked).toBe(1);
	expect(next.threadId).not.toBe(threadId);
	await thread.close();
});

test("a thread without questions ends, and the next question starts another one", async () => {
	const thread = new WorkerThread<string, Answer>(file, { idleMs: 20 });
	const { threadId } = await thread.ask("first");
	await expect.poll(async () => (await thread.ask("again")).threadId, { interval: 200 }).not.toBe(threadId);
	await thread.close();
});
