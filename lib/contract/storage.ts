/** Room on the dashboard's disk, on the wire. */
import * as z from "zod";
import "./no-eval.ts";

export const storageSchema = z.object({
	/** `full`: uploads are refused with 507 until there is room again; what comes from runners waits with them. */
	state: z.enum(["ok", "full"]),
	/** What uploads wait for: room on the disk, or in what the organization's recordings may take. */
	waitsFor: z.enum(["disk", "quota"]).nullable(),
	/** What may still be written to the disk that the videos lie on. */
	freeBytes: z.int().nonnegative(),
	totalBytes: z.int().nonnegative(),
	/** Kept free of videos, so that the database can go on. */
	reserveBytes: z.int().nonnegative(),
	/** What the organization's recordings take, with what uploads under way have announced. */
	usedBytes: z.int().nonnegative(),
	/** What they may take; null: as much as the disk has. */
	quotaBytes: z.int().nonnegative().nullable(),
	/** What one file may have that people and keys bring in; null: as much as there is room for. */
	maxUploadBytes: z.int().nonnegative().nullable(),
});
/** What uploads can wait for. */
export type WaitsFor = NonNullable<Storage["waitsFor"]>;
export type Storage = z.infer<typeof storageSchema>;
