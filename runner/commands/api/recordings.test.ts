/** Recordings on the command line: found, downloaded over bad connections, shared and deleted. */

import { readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { signIn } from "../../../test/api-people.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { inExplore } from "../../../test/in-explore.ts";
import { startChild } from "../../../test/processes/child.ts";
import { startCommand, tapedeck } from "../../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { makeVideo, removeTestFolder } from "../../../test/videos/make-video.ts";

/** A busy machine takes long to start a command. */
const POLL = { timeout: 20_000, interval: 20 };

let api: TestApi;
let folder: string;
let recording: Recording;
/** The content that the dashboard serves for the recording. */
let video: Buffer;

const upload = async (name: string, query = ""): Promise<Recording> => {
	const raw = await readFile(await makeVideo("recorder.mp4"));
	const headers = { "content-type": "video/mp4" };
	const { body } = await api.call("POST", `/v1/recordings?name=${name}${query}`, { raw, headers });
	return (await api.call("GET", `/v1/recordings/${body.id}`)).body;
};

beforeAll(async () => {
	api = await startTestApi();
	recording = await upload("checkout", "&label=build=7&outcome=failed");
	await upload("search");
	const headers = { authorization: `Bearer ${TEST_API_KEY}` };
	video = Buffer.from(await (await fetch(`${api.url}/v1/recordings/${recording.id}/video`, { headers })).arrayBuffer());
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});
beforeEach(async () => {
	folder = await temporaryFolder("download");
});

const access = (env: Record<string, string> = {}) => ({
	TAPEDECK_URL: api.url,
	TAPEDECK_API_KEY: TEST_API_KEY,
	...env,
});
const cli = (words: string[], env: Record<string, string> = {}) => tapedeck(["recordings", ...words], access(env));

/** Number of bytes of an answer that pass, and the fault that follows. */
interface Cut {
	after: number;
	next: (res: ServerResponse) => void | Promise<void>;
}

/** The dashboard behind a bad connection: each answer with more than a byte of video gets the next cut. */
async function behindCuts(cuts: Cut[]): Promise<{ url: string; ranges: string[] }> {
	const ranges: string[] = [];
	const forward = (req: IncomingMessage, res: ServerResponse) => {
		const { range } = req.headers;
		const cut = range === undefined || range === "bytes=0-0" ? undefined : cuts.shift();
		if (range !== undefined && range !== "bytes=0-0") ranges.push(range);
		const headers = { ...req.headers, host: new URL(api.url).host };
		const onward = request(`${api.url}${req.url}`, { method: req.method, headers }, (answer) => {
			res.writeHead(answer.statusCode ?? 502, answer.headers);
			let passed = 0;
			answer.on("data", (chunk: Buffer) => {
				if (cut === undefined) return void res.write(chunk);
				if (passed >= cut.after) return;
				const part = chunk.subarray(0, cut.after - passed);
				passed += part.length;
				res.write(part, () => {
					if (passed >= cut.after) void cut.next(res);
				});
			});
			answer.on("end", () => cut === undefined && res.end());
		});
		req.pipe(onward);
	};
	const server = createServer(forward);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges };
}

/** Waits until the command has written so many bytes beside the target: only these are certain to outlive a break. */
const written = (bytes: number) =>
	expect
		.poll(async () => {
			const [part = ""] = (await readdir(folder)).filter((name) => name.endsWith(".part"));
			return (await stat(join(folder, part))).size;
		}, POLL)
		.toBe(bytes);

/** Breaks the connection once the command has written so many bytes. */
const breakAt = (bytes: number) => async (res: ServerResponse) => {
	await written(bytes);
	res.destroy();
};

describe("tapedeck recordings download", () => {
	test("writes the video that the dashboard serves, named by its id or as it is told", async () => {
		const first = await cli(["download", String(recording.id), "--output", `${folder}/`]);
		const target = join(folder, `recording-${recording.id}.mp4`);
		expect(first).toMatchObject({ status: 0, text: expect.stringMatching(`^${target}, \\d+ kB\n$`) });
		const other = join(folder, "run.mp4");
		const second = await cli(["download", String(recording.id), "-o", other, "--json"]);
		expect(second.data()).toEqual({ recordingId: recording.id, file: other, bytes: video.length });
		for (const file of [target, other]) expect((await readFile(file)).equals(video)).toBe(true);
		expect((await readdir(folder)).sort()).toEqual([`recording-${recording.id}.mp4`, "run.mp4"]);
	});

	test("continues where a broken connection ended, and leaves nothing else behind", async () => {
		const { url, ranges } = await behindCuts([
			{ after: 5_000, next: breakAt(5_000) },
			{ after: 7_000, next: breakAt(12_000) },
		]);
		const target = join(folder, "run.mp4");
		const { status, text } = await cli(["download", String(recording.id), "-o", target], { TAPEDECK_URL: url });
		expect(text).toContain("The connection broke; continuing where it ended.\n");
		expect(status).toBe(0);
		expect(ranges).toEqual(["bytes=0-", "bytes=5000-", "bytes=12000-"]);
		expect((await readFile(target)).equals(video)).toBe(true);
		expect(await readdir(folder)).toEqual(["run.mp4"]);
	});

	inExplore(test)("interrupted, leaves the target as it was, and the same command continues", async () => {
		const target = join(folder, "run.mp4");
		await writeFile(target, "an earlier one");
		const reached = Promise.withResolvers<void>();
		const { url, ranges } = await behindCuts([{ after: 6_000, next: () => reached.resolve() }]);
		const words = ["recordings", "download", String(recording.id), "-o", target];
		const command = startCommand(words, access({ TAPEDECK_URL: url }));
		await reached.promise;
		await written(6_000);
		command.process.kill("SIGINT");
		expect(await command.exited).toBe("SIGINT");
		expect(await readFile(target, "utf8")).toBe("an earlier one");
		expect((await tapedeck(words, access({ TAPEDECK_URL: url }))).status).toBe(0);
		expect(ranges).toEqual(["bytes=0-", "bytes=6000-"]);
		expect((await readFile(target)).equals(video)).toBe(true);
		expect(await readdir(folder)).toEqual(["run.mp4"]);
	});

	inExplore(test)("ends with a sentence when the key is revoked in the middle, and writes no target", async () => {
		const owner = await signIn(api);
		const key = (await owner.call("POST", "/v1/api-keys", { body: { name: "short-lived" } })).body;
		const revoke = async (res: ServerResponse) => {
			await owner.call("DELETE", `/v1/api-keys/${key.id}`);
			await breakAt(5_000)(res);
		};
		const { url } = await behindCuts([{ after: 5_000, next: revoke }]);
		const words = ["download", String(recording.id), "-o", join(folder, "run.mp4")];
		const { status, text } = await cli(words, { TAPEDECK_URL: url, TAPEDECK_API_KEY: key.secret });
		expect(status).toBe(1);
		expect(text.split("\n")).toEqual([
			"The connection broke; continuing where it ended.",
			"The received part is kept: the same command continues there.",
			`The dashboard at ${url} refused the API key. Check TAPEDECK_API_KEY, create a new key under Settings, or run tapedeck login again.`,
			"",
		]);
		expect(await readdir(folder)).toEqual([expect.stringMatching(/^\.run\.mp4\.[0-9a-f]{12}\.part$/)]);
	});

	/** Runs a line of a shell in which `$DOWNLOAD` is the command so far. */
	const shell = async (line: string, env: Record<string, string> = {}) => {
		const download = `bin/tapedeck recordings download ${recording.id}`;
		const child = startChild("sh", ["-c", line.replaceAll("$DOWNLOAD", download)], {
			env: { ...process.env, ...access(env), FOLDER: folder },
		});
		return { status: await child.exited, output: child.output() };
	};

	inExplore(test)(
		"writes to standard output with -o -, also over a broken connection, and says everything else elsewhere",
		async () => {
			expect(await shell('$DOWNLOAD -o - > "$FOLDER/out"')).toEqual({ status: 0, output: "" });
			expect((await readFile(join(folder, "out"))).equals(video)).toBe(true);
			const cut = { after: 5_000, next: (res: ServerResponse) => void setTimeout(() => res.destroy(), 100) };
			const { url, ranges } = await behindCuts([cut]);
			const { output } = await shell('$DOWNLOAD --output - 2>"$FOLDER/err" | cat > "$FOLDER/out"', {
				TAPEDECK_URL: url,
			});
			expect(output).toBe("");
			expect((await readFile(join(folder, "out"))).equals(video)).toBe(true);
			expect(await readFile(join(folder, "err"), "utf8")).toBe("The connection broke; continuing where it ended.\n");
			expect(ranges).toHaveLength(2);
			// A device cannot be replaced by a file.
			await shell('$DOWNLOAD -o /dev/stdout 2>"$FOLDER/err" | head -c 5000 > "$FOLDER/out"');
			expect((await readFile(join(folder, "out"))).equals(video.subarray(0, 5_000))).toBe(true);
			expect((await readdir(folder)).sort()).toEqual(["err", "out"]);
		},
	);

	inExplore(test)("ends without an error when the reader of standard output has enough", async () => {
		const line = '{ $DOWNLOAD -o - 2>"$FOLDER/err"; echo "$?" > "$FOLDER/status"; } | head -c 100 > "$FOLDER/out"';
		await shell(line);
		expect((await readFile(join(folder, "out"))).equals(video.subarray(0, 100))).toBe(true);
		expect(await readFile(join(folder, "err"), "utf8")).toBe("");
		expect(await readFile(join(folder, "status"), "utf8")).toBe("0\n");
		expect(await shell("bin/tapedeck recordings list --json | true; bin/tapedeck --help | head -1")).toMatchObject({
			output: expect.not.stringContaining("EPIPE"),
		});
		expect(await cli(["download", String(recording.id), "-o", "-", "--json"])).toMatchObject({ status: 2 });
	});

	inExplore(test)(
		"starts anew beside a part that is longer than the video, and does not follow a link at its name",
		async () => {
			const target = join(folder, "run.mp4");
			// The name of a part: it is known from a download that was interrupted.
			const reached = Promise.withResolvers<void>();
			const slow = await behindCuts([{ after: 6_000, next: () => reached.resolve() }]);
			const words = ["recordings", "download", String(recording.id), "-o", target];
			const command = startCommand(words, access({ TAPEDECK_URL: slow.url }));
			await reached.promise;
			await written(6_000);
			command.process.kill("SIGKILL");
			await command.exited;
			const [part = ""] = await readdir(folder);
			await writeFile(join(folder, part), Buffer.alloc(video.length + 1, 7));
			expect((await tapedeck(words, access({ TAPEDECK_URL: slow.url }))).status).toBe(0);
			expect((await readFile(target)).equals(video)).toBe(true);
			await rm(target);
			await writeFile(join(folder, "precious"), "mine");
			await symlink(join(folder, "precious"), join(folder, part));
			const refused = await tapedeck(words, access({ TAPEDECK_URL: slow.url }));
			expect(refused).toMatchObject({ status: 1, text: expect.stringContaining("is a link, which is not followed") });
			expect(await readFile(join(folder, "precious"), "utf8")).toBe("mine");
		},
	);

	test("says where it can't write, and which recording does not exist", async () => {
		const target = join(folder, "missing", "run.mp4");
		const { status, text } = await cli(["download", String(recording.id), "-o", target]);
		expect(status).toBe(1);
		expect(text).toMatch(/^.+\/missing\/run\.mp4 can't be written: .+\. Choose another place with --output\.\n$/);
		expect(await cli(["download", "4711", "-o", target])).toMatchObject({
			status: 1,
			text: "Recording 4711 was not found; it may have been deleted, or belong to others.\n",
		});
		expect(await cli(["download"])).toMatchObject({
			status: 2,
			text: "Name the recording by its id, a number such as 12.\n",
		});
	});

	test("shows its progress on a terminal, and lists have colors there unless NO_COLOR is set", async () => {
		const onTerminal = async (words: string, env: Record<string, string>) => {
			const shell = { PATH: process.env.PATH ?? "", HOME: folder, TERM: "xterm-256color" };
			const child = startChild("script", ["-qec", `bin/tapedeck ${words}`, "/dev/null"], {
				env: { ...shell, ...access(env) } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv,
			});
			expect(await child.exited).toBe(0);
			return child.output();
		};
		const target = join(folder, "run.mp4");
		expect(await onTerminal(`recordings download ${recording.id} -o ${target}`, {})).toMatch(
			/█{24}100% {2}\d+ kB of \d+ kB/,
		);
		expect(await onTerminal("recordings list", {})).toContain("\u001b[31mfailed\u001b[39m");
		expect(await onTerminal("recordings list", { NO_COLOR: "1" })).not.toContain("\u001b[");
	});
});

test("recordings list finds by the search language, and get shows one", async () => {
	const { text } = await cli(["list", "--query", "build:7"]);
	const [header, ...lines] = text.trim().split("\n");
	expect(header).toMatch(/^ID +JOB +STATE +OUTCOME +VERDICT +LENGTH +SIZE +CREATED +NAME$/);
	expect(lines).toEqual([expect.stringMatching(`^${recording.id} +- +ready +failed +- +0:04 +\\d+ kB .+ checkout$`)]);
	expect((await cli(["get", String(recording.id), "--json"])).data<Recording>()).toEqual(recording);
	expect((await cli(["get", String(recording.id)])).text).toContain(`  page       ${recording.url}\n`);
});

test("share prints a link that plays without a key, until it expires", async () => {
	const { status, text } = await cli(["share", String(recording.id), "--expires", "12h"]);
	expect(status).toBe(0);
	const [url = "", remark] = text.split("\n");
	expect(remark).toMatch(/^Anybody with this link can watch the video until 20\d\d-/);
	const token = new URL(url).pathname.split("/").at(-1);
	expect((await api.call("GET", `/v1/shared/${token}`, { token: null })).body.name).toBe("checkout");
	expect((await cli(["share", String(recording.id), "--expires", "never", "--json"])).data()).toMatchObject({
		expiresAt: null,
	});
	expect(await cli(["share", String(recording.id), "--expires", "soon"])).toMatchObject({
		status: 2,
		text: "--expires: Use a length such as 12h or 7d, which is the longest, or never.\n",
	});
});

test("share opens a moment or a stretch with what is included, or one clip or frame and nothing else", async () => {
	const share = async (...words: string[]) => (await cli(["share", String(recording.id), ...words, "--json"])).data();
	expect(await share("--at", "0:01.5", "--include", "tests,tracks")).toMatchObject({
		...{ opens: "page", at: 1.5, from: null, to: null, include: ["tests", "tracks"] },
		url: expect.stringMatching(/\/shared\/[\w-]{32}$/),
	});
	expect(await share("--from", "1", "--to", "2", "--clip")).toMatchObject({ opens: "clip", from: 1, format: "mp4" });
	expect(await share("--from", "1", "--to", "2", "--gif")).toMatchObject({ opens: "clip", to: 2, format: "gif" });
	const { text } = await cli(["share", String(recording.id), "--at", "1", "--frame"]);
	const [url = "", remark] = text.split("\n");
	expect(remark).toMatch(/^Anybody with this link can see this frame until 20\d\d-/);
	const { status, headers } = await api.call("GET", new URL(url).pathname, { token: null });
	expect([status, headers.get("content-type")]).toEqual([200, "image/jpeg"]);
	expect(await cli(["share", String(recording.id), "--include", "all"])).toMatchObject({
		status: 2,
		text: "--include: Use tests, steps, tracks, separated by commas.\n",
	});
	expect(await cli(["share", String(recording.id), "--clip"])).toMatchObject({
		status: 1,
		text: expect.stringContaining("Send from and to: the stretch of the clip."),
	});
});

test("a recording can be named by its job; one without a recording says so", async () => {
	const { runnerId } = await api.signIn();
	const body = { runnerId, displayId: ":99", name: "later", stopCondition: "interrupt" };
	const { id } = (await api.call("POST", "/v1/jobs", { body })).body;
	expect(await cli(["download", "--job", String(id)])).toMatchObject({
		status: 1,
		text: `Job ${id} has no recording: it is queued. See "tapedeck jobs get ${id}".\n`,
	});
});

test("delete deletes a recording", async () => {
	const { id } = await upload("to be deleted");
	expect(await cli(["delete", String(id)])).toMatchObject({ status: 0, text: `Deleted recording ${id}.\n` });
	expect((await api.call("GET", `/v1/recordings/${id}`)).status).toBe(404);
	expect((await cli(["delete", String(id)])).status).toBe(1);
});
