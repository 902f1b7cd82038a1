/** Runners on the wire, as people and scripts see them. */
import * as z from "zod";
import { DISPLAY_ID_PATTERN } from "./job.ts";
import { storedLabelsSchema } from "./labels.ts";
import { pageOf } from "./page.ts";
import { idSchema, nameSchema, timestampSchema } from "./primitives.ts";
import { intParam } from "./query-params.ts";

export const runnerNameSchema = nameSchema({ max: 100 });
/** `PATCH /v1/runners/{id}`: the runner's name in the dashboard. */
export const renameRunnerBodySchema = z.strictObject({ name: runnerNameSchema });

export const displaySchema = z.object({
	id: z.string().regex(DISPLAY_ID_PATTERN),
	width: z.int().positive(),
	height: z.int().positive(),
});
export type Display = z.infer<typeof displaySchema>;

/** A display in a path: `:99` (or `%3A99`), or the bare number. */
export const displayInPathSchema = z
	.string()
	.regex(/^:?\d{1,5}$/)
	.transform((text) => (text.startsWith(":") ? text : `:${text}`));

export const VERSION_STATUSES = ["current", "older", "newer", "different"] as const;
export type VersionStatus = (typeof VERSION_STATUSES)[number];

export const runnerSchema = z.object({
	id: idSchema,
	organizationId: idSchema,
	name: z.string(),
	state: z.enum(["online", "offline"]),
	displays: z.array(displaySchema),
	/** Version, with the build after a plus if it was installed from a dashboard: `0.2.0+3f2a9c1b70de`. */
	version: z.string(),
	versionStatus: z
		.enum(VERSION_STATUSES)
		.describe(
			"The runner's version, compared with the dashboard's. `different`: another build of the same version, or one that has no order.",
		),
	/** Copied to each job it takes; set by TAPEDECK_LABELS. */
	labels: storedLabelsSchema,
	bufferSeconds: z
		.int()
		.nullable()
		.describe(
			"Seconds of its displays' past that it keeps, for jobs with preSeconds; set by TAPEDECK_BUFFER. Null if it keeps nothing.",
		),
	virtualDisplays: z
		.int()
		.nullable()
		.describe(
			'How many virtual displays it makes at a time for jobs with the displayId "new"; set by TAPEDECK_VIRTUAL_DISPLAYS. Null if it makes none.',
		),
	/** Accurate to 10 s. */
	lastSeenAt: timestampSchema.nullable(),
	runningJobIds: z.array(idSchema),
	/** Jobs queued for it, oldest first. */
	waitingJobIds: z.array(idSchema),
});
export type Runner = z.infer<typeof runnerSchema>;
export const runnerPageSchema = pageOf(runnerSchema);
export const removeRunnersBodySchema = z.strictObject({ runnerIds: z.array(idSchema).min(1).max(100) });
/** Runners that the call removed. */
export const removedRunnersSchema = z.object({ runnerIds: z.array(idSchema) });
export type RemovedRunners = z.infer<typeof removedRunnersSchema>;
/** Lists removed runners instead, whose names are still needed for their jobs. */
export const removedParam = z
	.enum(["true", "false"], { error: "Send removed as true or false." })
	.transform((value) => value === "true")
	.optional();

/** The width of a display's picture, unless another one is asked for. A narrower display keeps its own. */
export const PICTURE_WIDTH = 480;
/** A picture of that width, in bytes; one of another width. */
export const MAX_PICTURE_BYTES = 256 * 1024;
export const MAX_WIDE_PICTURE_BYTES = 8 * 1024 * 1024;

export const MIN_PICTURE_WIDTH = 16;
export const MAX_PICTURE_WIDTH = 8_192;
const pictureWidth = intParam("width", MIN_PICTURE_WIDTH, MAX_PICTURE_WIDTH);

/** `GET /v1/runners/{id}/displays/{displayId}/picture` */
export const watchDisplayQuerySchema = z.object({
	width: pictureWidth
		.default(PICTURE_WIDTH)
		.describe("So many pixels wide, or as wide as the display if that is less. Without it, 480."),
	since: z
		.string()
		.regex(/^"?[\w-]{1,100}"?$/, { error: "Send since as the ETag of a picture of this display." })
		.transform((etag) => etag.replaceAll('"', ""))
		.describe(
			"The ETag of the picture that you have: 304 while nothing has changed, else only the rectangle that did, as the header Tapedeck-Rectangle says. Without this header, it is a whole picture: when most of it has changed, or the one that you have is older than a minute.",
		)
		.optional(),
});
/** The part of a display's picture that an answer shows: `x,y,width,height` in pixels of the whole, from its top left corner. */
export const RECTANGLE_HEADER = "Tapedeck-Rectangle";

/** `PUT /v1/runner/displays/{displayId}/picture`: which one it is, and how long ago the runner took it. */
export const pictureQuerySchema = z.object({
	width: pictureWidth.default(PICTURE_WIDTH).describe("As it was asked for."),
	ageMs: z
		.string()
		.regex(/^\d{1,5}$/, { error: "Send ageMs as a whole number of milliseconds of at most five digits." })
		.transform(Number)
		.default(0),
});
