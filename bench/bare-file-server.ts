/** The baseline of `bench/range.ts`: node:http that streams one file, with Range and nothing else. */
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";

const file = process.env.BENCH_FILE ?? "";
const { size } = statSync(file);
const server = createServer((req, res) => {
	const match = /bytes=(\d+)-(\d+)/.exec(req.headers.range ?? "");
	const start = Number(match?.[1] ?? 0);
	const end = Number(match?.[2] ?? size - 1);
	res.writeHead(match === null ? 200 : 206, { "content-length": end - start + 1, "content-type": "video/mp4" });
	createReadStream(file, { start, end }).pipe(res);
});
server.listen(0, "127.0.0.1", () => {
	console.log(`listens on 127.0.0.1:${(server.address() as { port: number }).port}`);
});
process.on("SIGTERM", () => process.exit(0));
