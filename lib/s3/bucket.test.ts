import { randomBytes } from "node:crypto";
import { readdir, readlink, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { Bucket } from "./bucket.ts";
import { objectFaultOf } from "./object-fault.ts";
import { ObjectFile } from "./object-file.ts";

const MIB = 2 ** 20;
let s3: FakeS3;
let bucket: Bucket;
beforeEach(async () => {
	setFakeCredentials();
	s3 = await startFakeS3();
	bucket = await Bucket.open(s3.location);
});
afterEach(async () => {
	bucket.close();
	await s3.stop();
});

const faultOf = (work: Promise<unknown>) => work.then(() => null, objectFaultOf);

test("an object is stored from memory and a part of a file, read in ranges, and deleted", async () => {
	const path = join(tmpdir(), `tapedeck-bucket-${process.pid}`);
	const bytes = randomBytes(3 * MIB);
	await writeFile(path, bytes);
	await bucket.put("a/b c", { head: Buffer.from("head"), file: { path, start: 10, end: bytes.length } }, "video/mp4");
	await rm(path);
	expect(await bucket.size("a/b c")).toBe(bytes.length - 10 + 4);
	expect(await bucket.read("a/b c", 2, 8)).toEqual(Buffer.concat([Buffer.from("ad"), bytes.subarray(10, 14)]));
	expect(await bucket.readWhole("a/b c", 10 * MIB)).toEqual(Buffer.concat([Buffer.from("head"), bytes.subarray(10)]));
	expect(await bucket.list()).toEqual(["a/b c"]);
	await bucket.remove(["a/b c", "never there"]);
	expect([await bucket.size("a/b c"), await bucket.readWhole("a/b c", 1)]).toEqual([null, null]);
	expect([...s3.objects]).toEqual([]);
});

test("an object is composed of sent and copied parts", async () => {
	const [first, second] = [randomBytes(6 * MIB), randomBytes(5 * MIB)];
	await bucket.put("second", { head: second }, "video/mp4");
	const id = await bucket.beginParts("whole", "video/mp4");
	const parts = [
		await bucket.copyPart("whole", id, 2, "second"),
		await bucket.putPart("whole", id, 1, { head: first }),
		await bucket.putPart("whole", id, 3, { head: Buffer.from("end") }),
	];
	await bucket.completeParts("whole", id, parts);
	expect(s3.objects.get("tapedeck/whole")?.equals(Buffer.concat([first, second, Buffer.from("end")]))).toBe(true);
	const left = await bucket.beginParts("left", "video/mp4");
	await bucket.abortParts("left", left);
	await bucket.abortParts("left", left);
	expect(s3.openParts).toBe(0);
});

test("a store's temporary error is retried, and a refusal is not", async () => {
	const answers: (ReturnType<FakeS3["fault"]> | undefined)[] = [{ status: 503, code: "SlowDown" }, "cut", undefined];
	s3.fault = () => answers.shift();
	await bucket.put("x", { head: Buffer.from("bytes") }, "text/plain");
	expect(s3.calls).toHaveLength(3);
	const cuts: (ReturnType<FakeS3["fault"]> | undefined)[] = ["cut", undefined];
	s3.fault = () => cuts.shift();
	expect(String(await bucket.read("x", 0, 5))).toBe("bytes");
	for (const [status, code, fault] of [
		[403, "AccessDenied", "denied"],
		[507, "InsufficientStorage", "full"],
		[403, "QuotaExceeded", "full"],
		[404, "NoSuchBucket", "missing_bucket"],
		[501, "NotImplemented", "unsupported"],
	] as const) {
		s3.calls.length = 0;
		s3.fault = () => ({ status, code });
		expect(await faultOf(bucket.put("x", { head: Buffer.from("y") }, "text/plain"))).toBe(fault);
		expect(s3.calls).toHaveLength(1);
	}
	s3.fault = () => ({ status: 503, code: "ServiceUnavailable" });
	expect(await faultOf(bucket.read("x", 0, 1))).toBe("unavailable");
});

test.each([
	["a file", Buffer.alloc(0)],
	["a header and a file", Buffer.from("head")],
])("%s that cannot be read fails the call that stores it, and nothing else", async (_, head) => {
	const content = { head, file: { path: join(tmpdir(), "tapedeck-never-there"), start: 0, end: MIB } };
	await expect(bucket.put("x", content, "video/mp4")).rejects.toMatchObject({ code: "ENOENT" });
	const id = await bucket.beginParts("whole", "video/mp4");
	await expect(bucket.putPart("whole", id, 1, content)).rejects.toMatchObject({ code: "ENOENT" });
	await bucket.put("x", { head: Buffer.from("bytes") }, "text/plain");
	expect([...s3.objects.keys()]).toEqual(["tapedeck/x"]);
});

test("a store that accepts connections and never answers is given up within the limit of all attempts, and errors name the key", async () => {
	const silent = createServer(() => undefined);
	await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void silent.close());
	const { port } = silent.address() as AddressInfo;
	const errors: [string, boolean][] = [];
	const location = { ...s3.location, endpoint: `http://127.0.0.1:${port}` };
	const hung = await Bucket.open(location, ({ what }, isProbe) => void errors.push([what, isProbe]), 600);
	onTestFinished(() => hung.close());
	const beganAt = performance.now();
	await expect(hung.read("videos/7.mp4", 0, 10)).rejects.toThrow("not available now");
	expect(performance.now() - beganAt).toBeLessThan(1_200);
	expect(errors).toEqual([[expect.stringContaining("could not read videos/7.mp4"), false]]);
	await hung.probe(0);
	expect(errors.at(-1)).toEqual([expect.stringContaining("could not find no-object"), true]);
});

test("no file stays open after a store refused it or broke off", async () => {
	const path = join(tmpdir(), `tapedeck-bucket-refused-${process.pid}`);
	await writeFile(path, randomBytes(3 * MIB));
	const answers: ReturnType<FakeS3["fault"]>[] = [{ status: 503, code: "SlowDown" }, "cut"];
	s3.fault = () => answers.shift() ?? { status: 403, code: "AccessDenied" };
	for (const head of [Buffer.alloc(0), Buffer.from("head")]) {
		const content = { head, file: { path, start: 0, end: 3 * MIB } };
		expect(await faultOf(bucket.put("x", content, "video/mp4"))).toBe("denied");
	}
	await expect.poll(openFiles).not.toContain(path);
	await rm(path);
});

async function openFiles(): Promise<string[]> {
	const folder = "/proc/self/fd";
	return Promise.all((await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => "")));
}

test("an object reads like a file, in few requests when it is read in order", async () => {
	const bytes = randomBytes(9 * MIB);
	s3.objects.set("tapedeck/video", bytes);
	const file = new ObjectFile(bucket, "video", bytes.length, 100);
	const buffer = Buffer.alloc(512 * 1024);
	const read: Buffer[] = [];
	for (let at = 0; ; ) {
		const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
		if (bytesRead === 0) break;
		read.push(Buffer.from(buffer.subarray(0, bytesRead)));
		at += bytesRead;
	}
	expect(Buffer.concat(read).equals(bytes.subarray(100))).toBe(true);
	expect(s3.calls.length).toBeLessThan(9);
	const few = Buffer.alloc(4);
	await file.read(few, 0, 4, 8 * MIB);
	expect(few).toEqual(bytes.subarray(100 + 8 * MIB, 104 + 8 * MIB));
	s3.fault = () => ({ status: 404, code: "NoSuchKey" });
	expect(await faultOf(file.prepare(MIB))).toBe("missing");
	s3.fault = () => undefined;
	await file.prepare(MIB);
});
