import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tapedeck, tapedeckInTerminal } from "../../../test/processes/tapedeck-command.ts";

const LONG = "checkout of a cart with many items, as a guest, paid by invoice, in a browser with a small window";
const WIDE = "結帳流程測試:訪客結帳,以發票付款,在小視窗的瀏覽器中完成,並檢查電子郵件確認信 🎬🎬🎬";
const labels = { site: "frankfurt-2", pool: "browsers-with-a-long-name", owner: "team-checkout" };
const createdAt = "2026-11-25T08:00:00.000Z";
const page = (data: object[]) => ({ data, nextCursor: null });
const LISTS: Record<string, object> = {
	"/v1/runners": page(
		[LONG, WIDE, "box"].map((name, index) => ({
			...{ id: 1_000 + index, name, state: "offline", version: "1.12.3-beta.4+20261125", labels, createdAt },
			...{ runningJobIds: [1, 2], waitingJobIds: [], displays: displays(index === 2 ? 0 : 12) },
		})),
	),
	"/v1/jobs": page(
		[LONG, WIDE, "short"].map((name, index) => ({
			...{ id: 1_234_567 + index, name, labels, createdAt, status: "uploading", outcome: "skipped", runnerId: 1_000 },
			...{ displayId: ":10001", recording: { durationSeconds: 360_000 } },
		})),
	),
	"/v1/recordings": page(
		[LONG, WIDE, "short"].map((name, index) => ({
			...{ id: 1_234_567 + index, jobId: 1_234_567, name, createdAt, state: "partial", outcome: "skipped" },
			...{ verdict: "frozen", durationSeconds: 360_000, bytes: 123_456_789_012 },
		})),
	),
};
function displays(count: number): object[] {
	return Array.from({ length: count }, (_, index) => ({ id: `:${100 + index}`, width: 3_840, height: 2_160 }));
}

const server = createServer((request, response) => {
	const body = LISTS[(request.url ?? "").split("?")[0] ?? ""];
	response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
	server.closeAllConnections();
	server.close();
});
const env = () => ({
	TAPEDECK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
	TAPEDECK_API_KEY: "key-of-this-test",
});

/** The cells of a terminal that a line of these tests takes. */
const widthOf = (line: string) =>
	[...line].reduce((sum, letter) => sum + (/[\u3000-\u9fff\uff00-\uff60🎬]/u.test(letter) ? 2 : 1), 0);

test.each([
	["runners", 80],
	["jobs list", 80],
	["recordings list", 80],
	["runners", 60],
	["recordings list", 60],
])("the table of tapedeck %s fits a terminal of %i columns, with the beginning of each name", async (command, columns) => {
	const { screen, status } = await tapedeckInTerminal(command.split(" "), { ...env(), NO_COLOR: "1" }, columns);
	expect(status).toBe(0);
	const lines = screen.split(/\r*\n/).filter((line) => line !== "");
	expect(lines).toHaveLength(4);
	for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
	expect(lines[1]).toMatch(/ che[a-z ]*…$/);
	expect(lines[2]).toMatch(/ 結.*…$/);
	// Columns stay aligned.
	expect(lines[3]?.slice(0, 9)).toMatch(/^(1002 {2}off|1234569)/);
});

test("a table that is piped is complete, however long its lines", async () => {
	for (const command of ["runners", "jobs list", "recordings list"]) {
		const { text } = await tapedeck(command.split(" "), env());
		expect(text).toContain(LONG);
		expect(text).toContain(WIDE);
		expect(text).not.toContain("…");
	}
	expect((await tapedeck(["runners"], env())).text).toContain("site=frankfurt-2 pool=browsers-with-a-long-name");
});
