/**
 * The arguments with which docker-selenium's video container calls ffmpeg, with its defaults: Video/video.sh and
 * Video/video_service.py of SeleniumHQ/docker-selenium.
 */
import type { Size } from "#runner/video/video-format.ts";

export interface Rival {
	/** The name in the table. */
	name: string;
	/** The address at which its arguments are published. */
	source: string;
	/** The whole command line. @param display as `:99`. @param file the video. */
	arguments(display: string, size: Size, file: string): string[];
}

const grab = (display: string, { width, height }: Size) => [
	...["-f", "x11grab", "-video_size", `${width}x${height}`, "-r", "15", "-i", `${display}.0`],
	...["-codec:v", "libx264", "-preset", "ultrafast"],
];

export const rivals: readonly Rival[] = [
	{
		name: "docker-selenium of October 2024",
		source: "Video/video.sh at 3290a30 (October 2024)",
		arguments: (display, size, file) => [
			...["-hide_banner", "-loglevel", "warning", "-flags", "low_delay", "-threads", "2"],
			...["-fflags", "nobuffer+genpts", "-strict", "experimental", "-y"],
			...[...grab(display, size), "-pix_fmt", "yuv420p", file],
		],
	},
	{
		name: "docker-selenium of 2026, at most 1 Mbit/s",
		source: "Video/video_service.py at 02e1956 (2026)",
		arguments: (display, size, file) => [
			...["-hide_banner", "-loglevel", "warning", "-threads", "1", "-thread_queue_size", "512"],
			...["-probesize", "32M", "-analyzeduration", "0", "-y"],
			...[...grab(display, size), "-tune", "zerolatency", "-crf", "28", "-maxrate", "1000k", "-bufsize", "2000k"],
			...["-pix_fmt", "yuv420p", "-movflags", "+faststart", file],
		],
	},
];
