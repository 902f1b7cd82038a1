/** Room on the dashboard's disk, on the wire. */
import * as z from "zod";

export const storageSchema = z.object({
	/** `full`: uploads are refused with 507 until there is room again; what comes from runners waits with them. */
	state: z.enum(["ok", "full"]),
	/** What may still be written to the disk that the videos lie on. */
	freeBytes: z.int().nonnegative(),
	totalBytes: z.int().nonnegative(),
	/** Kept free of videos, so that the database can go on. */
	reserveBytes: z.int().nonnegative(),
});
export type Storage = z.infer<typeof storageSchema>;
