/** The context of operations on recordings: with what this process knows about the stored videos. */
import type { Context } from "#lib/core/context.ts";
import type { Bucket } from "#lib/s3/bucket.ts";
import { Excerpts } from "./excerpts/excerpts.ts";
import { FrameGrabber } from "./pictures/grab-frame.ts";
import { StoredPictures } from "./pictures/stored-pictures.ts";
import { StoryboardFiles } from "./pictures/storyboard-file.ts";
import { VideoFiles } from "./playback/video-files.ts";
import { DiskSpace } from "./space/disk-space.ts";
import { StorageUsage } from "./space/storage-usage.ts";
import { type AssertOwner, BucketVideoStore } from "./store/bucket-store.ts";
import { DiskVideoStore, type VideoStore } from "./store/video-store.ts";
import { TrackReader } from "./tracks/track-reader.ts";
import type { UploadLeases } from "./upload/upload-leases.ts";

/** One per process and folder of videos: everyone must see the same files grow, and the same space shrink. */
export interface StoredVideos {
	/** The store of new videos. */
	videoStore: VideoStore;
	/** The bucket that may have videos in addition to the disk; null if there is none. */
	bucket: Bucket | null;
	videoFiles: VideoFiles;
	diskSpace: DiskSpace;
	storageUsage: StorageUsage;
	storyboards: StoryboardFiles;
	frameGrabber: FrameGrabber;
	storedPictures: StoredPictures;
	excerpts: Excerpts;
	trackReader: TrackReader;
}

export interface RecordingContext extends Context, StoredVideos {
	/** Knows which dashboard has the files of an upload. */
	leases: UploadLeases;
}

/** The store of finished videos. */
export interface StorageChoice {
	bucket: Bucket | null;
	/** Whether new videos go to the bucket. Otherwise it is only read, while its videos are moved to the disk. */
	storesInBucket: boolean;
	/** Ends the transaction of a dashboard that no longer owns the upload. Only with several dashboards. */
	assertOwner?: AssertOwner;
}

/**
 * @param options.dir absolute path of the folder of stored videos.
 * @param options.reserveBytes disk space that videos must leave free; less on a small disk.
 */
export function openStoredVideos(
	ctx: Pick<RecordingContext, "db" | "clock" | "log" | "leases">,
	options: { dir: string; reserveBytes: number } & StorageChoice,
): StoredVideos {
	const videoFiles = new VideoFiles(options.dir);
	const { bucket, storesInBucket } = options;
	const inBucket = bucket !== null && storesInBucket;
	return {
		videoStore: inBucket
			? new BucketVideoStore(ctx, bucket, videoFiles, async (db, uploadId) => {
					await ctx.leases.assertHeld(db, uploadId);
					await options.assertOwner?.(db, uploadId);
				})
			: new DiskVideoStore(videoFiles),
		bucket,
		videoFiles,
		diskSpace: new DiskSpace(options.dir, options.reserveBytes),
		storageUsage: new StorageUsage(),
		storyboards: new StoryboardFiles(),
		frameGrabber: new FrameGrabber(ctx.log),
		storedPictures: new StoredPictures(),
		excerpts: new Excerpts(),
		trackReader: new TrackReader(),
	};
}
