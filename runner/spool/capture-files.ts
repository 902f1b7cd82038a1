/** The files in a job's spool folder: numbered parts of the video with their companion files, and the poster. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** The files of one capture, which records one part. */
export interface CaptureFiles {
	video: string;
	/** ffmpeg's standard error. */
	stderr: string;
	/** The line of /proc/<pid>/stat of its ffmpeg. */
	pid: string;
	poster: string;
	/** Small gray frames, one a second, from which black and frozen videos are detected. */
	samples: string;
}

/** The latest frame of a recording, as JPEG. */
export const posterFile = (folder: string): string => join(folder, "poster.jpg");

/** @param part number of the part, from 1. */
export const captureFiles = (folder: string, part: number): CaptureFiles => ({
	video: join(folder, `part-${part}.mp4`),
	stderr: join(folder, `part-${part}.log`),
	pid: join(folder, `part-${part}.pid`),
	poster: posterFile(folder),
	samples: join(folder, `part-${part}.gray`),
});

/** Numbers of the parts that have a video file; none for a folder that does not exist. */
export const partsIn = (folder: string): Promise<number[]> => numbersIn(folder, /^part-(\d+)\.mp4$/);

/** Numbers of the parts whose ffmpeg was started, which may still run. */
export const startedParts = (folder: string): Promise<number[]> => numbersIn(folder, /^part-(\d+)\.pid$/);

async function numbersIn(folder: string, pattern: RegExp): Promise<number[]> {
	const names = await readdir(folder).catch(() => []);
	return names.flatMap((name) => pattern.exec(name)?.[1] ?? []).map(Number);
}

/** Bytes of video in a job's folder, according to the file system. */
export async function videoBytesIn(folder: string): Promise<number> {
	const files = (await partsIn(folder)).map((part) => captureFiles(folder, part).video);
	const sizes = await Promise.all(files.map((file) => stat(file).catch(() => null)));
	return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
}
