import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { Bucket } from "./bucket.ts";
import { checkBucket } from "./check-bucket.ts";
import { parseStorageUrl } from "./storage-url.ts";

let s3: FakeS3;
beforeEach(async () => {
	setFakeCredentials();
	s3 = await startFakeS3({ region: "eu-west-1" });
});
afterEach(() => s3.stop());

async function problems(change: Partial<FakeS3["location"]> = {}): Promise<string[]> {
	const bucket = await Bucket.open({ ...s3.location, ...change });
	try {
		await checkBucket(bucket, "TAPEDECK_STORAGE_URL");
		return [];
	} catch (error) {
		return (error as Error).message.split("\n");
	} finally {
		bucket.close();
	}
}

const denied = (...kinds: string[]) => {
	s3.fault = ({ kind }) => (kinds.includes(kind) ? { status: 403, code: "AccessDenied" } : undefined);
};

test("a bucket that can be used passes, and nothing is left in it", async () => {
	expect(await problems()).toEqual([]);
	expect([[...s3.objects], s3.openParts]).toEqual([[], 0]);
});

test.each(["part", "complete"])("nothing is left in a bucket that failed at the step %s", async (step) => {
	s3.fault = ({ kind }) => (kind === step ? { status: 501, code: "NotImplemented" } : undefined);
	expect(await problems()).toHaveLength(1);
	expect([[...s3.objects], s3.openParts]).toEqual([[], 0]);
});

test("a missing bucket, a wrong region, wrong credentials and an unreachable store are each named with the remedy", async () => {
	expect(await problems({ bucket: "not-there" })).toEqual([
		`There is no bucket not-there at ${s3.location.endpoint}. Create it, or correct TAPEDECK_STORAGE_URL.`,
	]);
	expect(await problems({ region: "us-east-1" })).toEqual([
		"The bucket videos-of-tests is in the region eu-west-1, not us-east-1. Write region=eu-west-1 in TAPEDECK_STORAGE_URL.",
	]);
	process.env.AWS_ACCESS_KEY_ID = "somebody else";
	expect((await problems())[0]).toContain("does not accept the credentials");
	setFakeCredentials();
	s3.fault = () => ({ status: 403, code: "RequestTimeTooSkewed" });
	expect((await problems())[0]).toContain("The clock of this machine differs");
	expect((await problems({ endpoint: "http://127.0.0.1:1" }))[0]).toMatch(
		/cannot be used \(ECONNREFUSED.*Check that the store runs/,
	);
});

test("all rights that a key lacks are named at once", async () => {
	denied("list", "get", "delete");
	const [first, ...more] = await problems();
	expect(first).toContain("s3:ListBucket, s3:GetObject, s3:DeleteObject. Allow it");
	expect(more).toEqual([]);
	denied("put");
	expect((await problems())[0]).toContain(": s3:PutObject. Allow");
	denied("begin", "abort");
	expect((await problems())[0]).toContain("multipart uploads, s3:AbortMultipartUpload");
	s3.fault = ({ kind }) => (kind === "begin" ? { status: 501, code: "NotImplemented" } : undefined);
	expect((await problems())[0]).toContain("does not support all that is needed: multipart uploads");
});

test("the variable is parsed, and what is wrong with it is said", () => {
	const parse = (text: string) => parseStorageUrl("TAPEDECK_STORAGE_URL", text);
	expect(parse("file:")).toBeNull();
	expect(parse("s3://my-bucket")).toEqual({ bucket: "my-bucket", prefix: "", endpoint: null, region: "us-east-1" });
	expect(parse("s3://my-bucket/a/b/?endpoint=https://s3.example.com/&region=eu-central-1")).toEqual({
		bucket: "my-bucket",
		prefix: "a/b/",
		endpoint: "https://s3.example.com",
		region: "eu-central-1",
	});
	for (const [text, problem] of [
		["/videos", "must be file: or begin with s3://"],
		["file:///videos", "must be file: for the videos folder"],
		["s3://Bad_Bucket", "must name a bucket"],
		["s3://key:secret@bucket", "must not contain credentials"],
		["s3://bucket?acl=public", "but not acl"],
		["s3://bucket?endpoint=s3.example.com", "must begin with http:// or https://"],
	] as const) {
		expect(() => parse(text), text).toThrow(problem);
	}
});
