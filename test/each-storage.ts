/** Runs one suite with videos on the disk and in a bucket. */
import { afterEach, beforeEach, describe } from "vitest";
import { Bucket } from "#lib/s3/bucket.ts";
import { variants } from "./in-explore.ts";
import { openTestRecordings, type TestRecordings } from "./recordings.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "./servers/fake-s3.ts";

export type StorageKind = "disk" | "bucket";

/** The storage that is opened for each test. With videos on the disk, the bucket exists and is unused. */
interface OpenedStorage {
	recordings: TestRecordings;
	bucket: Bucket;
	s3: FakeS3;
}

/** @param opened is available from beforeEach on. */
type Suite = (opened: () => OpenedStorage, kind: StorageKind) => void;

const KINDS = ["disk", "bucket"] as const;

/** Runs a suite on each storage, because it checks what a storage does. @param suite declares the tests. */
export const onEachStorage = (suite: Suite): void => onStorages(KINDS, suite);

/** Runs a suite that reads videos only: on the disk, and in the explore lane in a bucket as well. */
export const onOneStorage = (suite: Suite): void =>
	onStorages(
		variants(KINDS, (kind) => kind === "disk"),
		suite,
	);

function onStorages(kinds: readonly StorageKind[], suite: Suite): void {
	describe.each(kinds)("with videos stored on the %s", (kind) => {
		let opened: OpenedStorage;
		beforeEach(async () => {
			setFakeCredentials();
			const s3 = await startFakeS3();
			const bucket = await Bucket.open(s3.location);
			const storage = kind === "bucket" ? { bucket, storesInBucket: true } : undefined;
			opened = { recordings: await openTestRecordings({ storage }), bucket, s3 };
		});
		afterEach(async () => {
			await opened.recordings.close();
			opened.bucket.close();
			await opened.s3.stop();
		});
		suite(() => opened, kind);
	});
}
