/** Disk space and storage quota on the wire. */
import * as z from "zod";
import "./no-eval.ts";

export const storageSchema = z.object({
	/** `full`: uploads are refused with 507 until there is space again; runners keep their videos until then. */
	state: z.enum(["ok", "full"]),
	/** Resources that uploads wait for: disk space, or the organization's storage quota. */
	waitsFor: z.enum(["disk", "quota"]).nullable(),
	/** Bytes that can still be written to the disk that holds the videos. */
	freeBytes: z.int().nonnegative(),
	totalBytes: z.int().nonnegative(),
	/** Space that videos must leave free, so that the database can keep writing. */
	reserveBytes: z.int().nonnegative(),
	/** Bytes of the organization's recordings, including what uploads in progress have reserved. */
	usedBytes: z.int().nonnegative(),
	/** The storage quota; null for no limit but the disk. */
	quotaBytes: z.int().nonnegative().nullable(),
	/** The largest file that people and keys may upload; null for no limit. */
	maxUploadBytes: z.int().nonnegative().nullable(),
});
/** Resources that uploads can wait for. */
export type WaitsFor = NonNullable<Storage["waitsFor"]> | "bucket";
export type Storage = z.infer<typeof storageSchema>;
