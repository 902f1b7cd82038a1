import { readFile } from "node:fs/promises";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { trackFile } from "../spool/track-files.ts";
import { CommandLog, type OutputStream } from "./command-log.ts";

async function logged(...chunks: [OutputStream, string][]): Promise<{ lines: string[]; end: string }> {
	const folder = await temporaryFolder("log");
	const log = new CommandLog(folder, new SecretMask({ API_TOKEN: "s3cretvalue" }));
	for (const [stream, text] of chunks) log.add(stream, Buffer.from(text));
	log.close();
	const written = (await readFile(trackFile(folder, "log"), "utf8")).trimEnd().split("\n");
	return { lines: written.map((json) => JSON.parse(json)).map(({ level, text }) => `${level} ${text}`), end: log.end };
}

test("a carriage return keeps the last state of a line, and CRLF ends a line", async () => {
	const { lines } = await logged(
		["stdout", "  0 %\r 50 %"],
		["stdout", "\r100 %\n"],
		["stdout", "one\r"],
		["stdout", "\ntwo\r\n\r\nthree\r\r\n"],
		["stdout", "done\r\u001b[2K\n"],
	);
	expect(lines).toEqual(["info 100 %", "info one", "info two", "info ", "info three", "info done"]);
});

test("a line that begins with a level has it, coloured or not; others have that of their stream", async () => {
	const { lines } = await logged(
		["stderr", "ERROR: no\n\u001b[31mFATAL\u001b[0m gone\nWARN slow\n[INFO] fine\nErrors happen\nplain\n"],
		["stdout", "ERROR no\n\u001b[1;33mWARNING\u001b[0m: slow\nDEBUGGER\nplain\n"],
	);
	expect(lines.map((line) => line.split(" ")[0])).toEqual([
		...["error", "error", "warn", "info", "error", "error"],
		...["error", "warn", "info", "info"],
	]);
});

test("the end has the last ten lines that say something, without colours and secrets", async () => {
	const { end } = await logged(
		["stdout", Array.from({ length: 20 }, (_, index) => `line ${index}\n\n`).join("")],
		["stderr", "\u001b[31ms3cretvalue is refused\u001b[0m"],
	);
	expect(end.split("\n")).toEqual([...Array.from({ length: 9 }, (_, index) => `line ${index + 11}`), "*** is refused"]);
	const long = await logged(["stdout", `${"x".repeat(5_000)}\nlast`]);
	expect(long.end).toBe("last");
});
