/** The context of operations on recordings: with what this process knows about the stored videos. */
import type { Context, Log } from "#lib/core/context.ts";
import { FrameGrabber } from "./pictures/grab-frame.ts";
import { StoryboardFiles } from "./pictures/storyboard-file.ts";
import { VideoFiles } from "./playback/video-files.ts";
import { DiskSpace } from "./space/disk-space.ts";
import { StorageUsage } from "./space/storage-quota.ts";

/** One per process and folder of videos: everyone must see the same files grow, and the same space shrink. */
export interface VideoStore {
	videoFiles: VideoFiles;
	diskSpace: DiskSpace;
	storageUsage: StorageUsage;
	storyboards: StoryboardFiles;
	frameGrabber: FrameGrabber;
}

export interface RecordingContext extends Context, VideoStore {}

/**
 * @param options.dir absolute path of the folder of stored videos.
 * @param options.reserveBytes disk space that videos must leave free; less on a small disk.
 */
export const openVideoStore = (options: { dir: string; reserveBytes: number; log: Log }): VideoStore => ({
	videoFiles: new VideoFiles(options.dir),
	diskSpace: new DiskSpace(options.dir, options.reserveBytes),
	storageUsage: new StorageUsage(),
	storyboards: new StoryboardFiles(),
	frameGrabber: new FrameGrabber(options.log),
});
