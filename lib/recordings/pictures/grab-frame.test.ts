import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { boxesIn } from "@tapedeck/media/mp4-boxes.ts";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Actor, Log } from "#lib/core/context.ts";
import { inExplore } from "#test/in-explore.ts";
import { decodePicture } from "#test/videos/decode-picture.ts";
import { makeVideo, RECORDER, removeTestFolder } from "#test/videos/make-video.ts";
import { resizedVideo } from "#test/videos/resized-video.ts";
import { FrameGrabber } from "./grab-frame.ts";

const run = promisify(execFile);

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "tapedeck-grab-"));
});
afterAll(async () => {
	await rm(dir, { recursive: true, force: true });
	await removeTestFolder();
});
afterEach(() => vi.unstubAllEnvs());

const logged: { data: Record<string, unknown>; message: string }[] = [];
const keep = (data: object, message: string) => logged.push({ data: data as Record<string, unknown>, message });
const log: Log = { debug: () => undefined, info: keep, warn: keep, error: keep };

const grabber = new FrameGrabber(log);
/** ffmpeg has the lowest priority here, and needs more than the usual 10 s on a busy machine. */
const patient = { atSeconds: 0, timeoutMs: 100_000 };
const frameOf = (path: string, contentType = "video/mp4") => grabber.grab(path, { ...patient, contentType });

/** Replaces ffmpeg with a shell script. */
async function replaceFfmpeg(script: string): Promise<void> {
	const bin = await mkdtemp(join(dir, "bin-"));
	await writeFile(join(bin, "ffmpeg"), `#!/bin/sh\n${script}\n`);
	await chmod(join(bin, "ffmpeg"), 0o755);
	vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
}

test("a frame is a JPEG at the requested time", async () => {
	for (const [kind, type] of [
		["recorder.mp4", "video/mp4"],
		["sound.mp4", "video/mp4"],
		["vp8.webm", "video/webm"],
	] as const) {
		const jpeg = await grabber.grab(await makeVideo(kind), { ...patient, contentType: type, atSeconds: 1 });
		expect(jpeg?.subarray(0, 2).toString("hex")).toBe("ffd8");
	}
});

test("a frame is what a player shows at that time: the last one that has begun, not the next one", async () => {
	// As recorders leave it: equal frames are dropped, so that a frame begins where the picture changes.
	const path = join(dir, "changes.mp4");
	const scene = "color=black:s=160x120:r=3:d=2[before];color=white:s=160x120:r=3:d=1[after];[before][after]concat";
	await run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", scene, ...RECORDER, path]);
	const shades: number[] = [];
	for (const atSeconds of [0, 1, 1.95, 1.999, 2, 2.9]) {
		const jpeg = await grabber.grab(path, { ...patient, contentType: "video/mp4", atSeconds });
		shades.push(Math.round((await decodePicture(jpeg ?? Buffer.alloc(0))).brightness / 255));
	}
	expect(shades).toEqual([0, 0, 0, 0, 1, 1]);
});

test("a frame around a change of size is what a player shows, in its own size, also before the change", async () => {
	const path = join(dir, "resized.mp4");
	await writeFile(path, await resizedVideo());
	const frames: [number, number, number][] = [];
	for (const atSeconds of [1.5, 1.95, 2.4, 2.5, 3, 4.4]) {
		const jpeg = await grabber.grab(path, { ...patient, contentType: "video/mp4", atSeconds });
		const { width, height, brightness } = await decodePicture(jpeg ?? Buffer.alloc(0));
		frames.push([width, height, Math.round(brightness / 255)]);
	}
	const [before, after] = [
		[160, 120, 0],
		[120, 200, 1],
	];
	expect(frames).toEqual([before, before, before, after, after, after]);
});

inExplore(describe)("pictures of several callers", () => {
	const person = (organizationId: number, userId: number): { actor: Actor } => ({
		actor: { kind: "user", organizationId, userId, name: "Ada", role: "viewer" },
	});
	const here = new AbortController().signal;

	test("are made in turns of their organizations, one at a time, and uploads are checked meanwhile", async () => {
		const turns = new FrameGrabber(log);
		const done: string[] = [];
		const gate = Promise.withResolvers<void>();
		let running = 0;
		const order = (who: { actor: Actor }, what: string, waits?: Promise<void>) =>
			turns.queue(
				who,
				async () => {
					running += 1;
					expect(running).toBe(1);
					await waits;
					done.push(what);
					running -= 1;
				},
				here,
			);
		const all = [
			order(person(1, 1), "first", gate.promise),
			...[1, 2, 3].map((count) => order(person(1, 1), `viewer ${count}`)),
			order(person(2, 2), "another organization"),
			order(person(3, 3), "a third one"),
		];
		expect(await turns.isUndecodable(person(2, 2), await makeVideo("plain.mp4"), "video/mp4")).toBe(false);
		expect(done).toEqual([]);
		gate.resolve();
		await Promise.all(all);
		expect(done).toEqual(["first", "another organization", "a third one", "viewer 1", "viewer 2", "viewer 3"]);
	});

	test("wait up to 200 for one caller, who is then refused; others are not, and who goes makes room", async () => {
		const turns = new FrameGrabber(log);
		const gate = Promise.withResolvers<void>();
		const held = turns.queue(person(1, 1), () => gate.promise, here);
		const leaving = new AbortController();
		const waiting = Array.from({ length: 200 }, (_, index) =>
			turns.queue(person(1, 1), async () => index, index === 7 ? leaving.signal : here),
		);
		await expect(turns.queue(person(1, 1), async () => 0, here)).rejects.toMatchObject({
			code: "too_many_requests",
			headers: { "retry-after": "1" },
		});
		const colleague = turns.queue(person(1, 2), async () => "colleague", here);
		leaving.abort();
		expect(await waiting[7]).toBe(null);
		const again = turns.queue(person(1, 1), async () => "again", here);
		gate.resolve();
		await held;
		expect(await Promise.all(waiting)).toEqual(Array.from({ length: 200 }, (_, index) => (index === 7 ? null : index)));
		expect([await colleague, await again]).toEqual(["colleague", "again"]);
	});
});

describe("the dashboard's ffmpeg", () => {
	test("gets none of the dashboard's environment except search paths and locale", async () => {
		vi.stubEnv("TAPEDECK_SECRET_KEY", "very secret");
		vi.stubEnv("TAPEDECK_DATABASE_URL", "postgres://user:secret@host/db");
		vi.stubEnv("NODE_OPTIONS", "--no-warnings");
		await replaceFfmpeg("exec env");
		const names = String(await frameOf("x"))
			.split("\n")
			.flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
			// The shell sets these itself.
			.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name));
		expect(names).toContain("PATH");
		expect(["PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH"]).toEqual(expect.arrayContaining(names));
	});

	test("runs at the lowest priority, with limits on memory, time and files", async () => {
		await replaceFfmpeg('echo "nice $(nice) memory $(ulimit -v) time $(ulimit -t) files $(ulimit -f)"');
		expect(String(await frameOf("x"))).toBe("nice 10 memory 2097152 time 3 files 0\n");
	});

	test("is logged with its output if it succeeds without a frame", async () => {
		logged.length = 0;
		await replaceFfmpeg('echo "Invalid data found" >&2');
		expect(await frameOf("empty")).toBe(null);
		expect(logged).toMatchObject([{ data: { video: "empty", reason: "no frame", stderr: "Invalid data found\n" } }]);
	});

	test("is killed and logged if it outputs more than a frame can have, or takes too long", async () => {
		logged.length = 0;
		await replaceFfmpeg("exec yes");
		expect(await frameOf("endless")).toBe(null);
		await replaceFfmpeg("sleep 60");
		expect(await grabber.grab("slow", { contentType: "video/mp4", atSeconds: 0, timeoutMs: 200 })).toBe(null);
		expect(logged.map(({ data }) => [data.video, data.reason])).toEqual([
			["endless", "too much output"],
			["slow", "too slow"],
		]);
	});

	inExplore(test)(
		"is tried again a minute after it took too long, or could not read from the bucket; never after a broken video",
		async () => {
			const failing = async (path: string, video: string, timeoutMs = 100_000) => {
				const options = { path, contentType: "video/mp4", atSeconds: 0, timeoutMs };
				expect(await grabber.grab(video, options)).toBe(null);
			};
			await replaceFfmpeg("exit 1");
			await failing("broken.jpg", "broken.mp4");
			await failing("bucket.jpg", "http://127.0.0.1:9/video");
			await replaceFfmpeg("exec sleep 60");
			await failing("slow.jpg", "slow.mp4", 200);
			const failed = () => ["broken.jpg", "bucket.jpg", "slow.jpg", "other.jpg"].map((path) => grabber.failedFor(path));
			expect(failed()).toEqual([true, true, true, false]);
			const now = performance.now();
			vi.spyOn(performance, "now").mockReturnValue(now + 61_000);
			onTestFinished(() => void vi.restoreAllMocks());
			expect(failed()).toEqual([true, false, false, false]);
			grabber.forgetFailure("broken.jpg");
			expect(failed()).toEqual([false, false, false, false]);
		},
	);

	test("has its errors logged, up to a maximum length", async () => {
		logged.length = 0;
		await replaceFfmpeg("yes 'a broken file' | head -c 100000 >&2; exit 69");
		expect(await frameOf(join(dir, "broken.mp4"))).toBe(null);
		expect(logged).toHaveLength(1);
		expect(logged[0]?.data).toMatchObject({ video: "broken.mp4", reason: "exit status 69" });
		expect(String(logged[0]?.data.stderr)).toContain("a broken file");
		expect(String(logged[0]?.data.stderr).length).toBeLessThanOrEqual(2_000);
	});
});

describe("an untrusted file", () => {
	test("that is a playlist of other files or URLs is not followed, whatever its name", async () => {
		const video = await makeVideo("plain.mp4");
		const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile:${video}\n#EXT-X-ENDLIST\n`;
		const concat = `ffconcat version 1.0\nfile '${video}'\n`;
		for (const [index, text] of [playlist, concat].entries()) {
			const path = join(dir, `list-${index}.mp4`);
			await writeFile(path, text);
			expect([await frameOf(path), await frameOf(path, "video/webm")]).toEqual([null, null]);
		}
	});

	test("whose samples reference another file exposes nothing of it", async () => {
		const outside = join(dir, "outside.mp4");
		await writeFile(outside, await readFile(await makeVideo("plain.mp4")));
		const path = join(dir, "reference.mp4");
		await writeFile(path, withReference(await readFile(outside), "outside.mp4"));
		expect(await frameOf(path)).toBe(null);
	});

	test("of a few bytes that claims frames of gigabytes is refused before they are allocated", async () => {
		const bytes = Buffer.from(await readFile(await makeVideo("vp8.webm")));
		const keyframe = bytes.indexOf("9d012a", "hex");
		bytes.writeUInt16LE(12_000, keyframe + 3);
		bytes.writeUInt16LE(12_000, keyframe + 5);
		const path = join(dir, "huge.webm");
		await writeFile(path, bytes);
		logged.length = 0;
		expect(await frameOf(path, "video/webm")).toBe(null);
		expect(String(logged[0]?.data.stderr)).toContain("12000x12000");
	});

	test("in a codec that no browser plays is not decoded", async () => {
		const path = join(dir, "lossless.webm");
		await run("ffmpeg", ["-v", "error", "-i", await makeVideo("plain.mp4"), "-c:v", "ffv1", "-f", "matroska", path]);
		expect(await frameOf(path, "video/webm")).toBe(null);
	});
});

/** The video with its `dref` pointing to an external file: an `alis` entry as QuickTime writes it. */
function withReference(bytes: Buffer, target: string): Buffer {
	const alias = Buffer.alloc(150 + 4 + 64);
	alias.writeUInt16BE(1, 130);
	alias.writeUInt16BE(1, 132);
	alias.writeUInt16BE(2, 150);
	const path = `/${target}`;
	alias.writeUInt16BE(path.length, 152);
	alias.write(path, 154, "latin1");
	const entry = box("alis", Buffer.concat([Buffer.alloc(4), alias]));
	const count = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]);
	return rewrite(bytes, ["moov", "trak", "mdia", "minf", "dinf", "dref"], box("dref", Buffer.concat([count, entry])));
}

function box(type: string, body: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.writeUInt32BE(8 + body.length, 0);
	head.write(type, 4, "latin1");
	return Buffer.concat([head, body]);
}

/** Replaces the box at a path, and updates the sizes of its ancestors. */
function rewrite(bytes: Buffer, [name, ...rest]: string[], replacement: Buffer): Buffer {
	const parts: Buffer[] = [];
	for (const each of boxesIn(bytes, 0, bytes.length)) {
		const whole = bytes.subarray(each.start, each.end);
		if (each.type !== name) parts.push(whole);
		else if (rest.length === 0) parts.push(replacement);
		else parts.push(box(each.type, rewrite(Buffer.from(bytes.subarray(each.body, each.end)), rest, replacement)));
	}
	return Buffer.concat(parts);
}
