/** Schedules: jobs that are created again and again, at regular times. */
import * as z from "zod";
import "./no-eval.ts";
import { createJobBodySchema, documentedJobBodySchema, scheduledJobSchema } from "./job.ts";
import { JOB_STATUSES } from "./job-status.ts";
import { pageOf } from "./page.ts";
import { idSchema, timestampSchema } from "./primitives.ts";

export const MIN_EVERY_SECONDS = 10;
/** A year. */
export const MAX_EVERY_SECONDS = 31_536_000;

const EVERY = `Send everySeconds as a whole number of seconds from ${MIN_EVERY_SECONDS} to ${MAX_EVERY_SECONDS}.`;

export const createScheduleBodySchema = z.strictObject({
	everySeconds: z
		.int({ error: EVERY })
		.min(MIN_EVERY_SECONDS, { error: EVERY })
		.max(MAX_EVERY_SECONDS, { error: EVERY })
		.describe("The time from one start to the next. The first job starts at once."),
	endsAt: z.iso
		.datetime({
			offset: true,
			error: "Send endsAt as an RFC 3339 time, such as 2026-11-21T01:12:00Z, or leave it out.",
		})
		.nullable()
		.optional()
		.describe("No job starts at this time or later. A job that runs then continues."),
	job: createJobBodySchema,
});
/** The same, as documented in the OpenAPI document. */
export const documentedScheduleBodySchema = createScheduleBodySchema.extend({ job: documentedJobBodySchema });
export type CreateSchedule = z.output<typeof createScheduleBodySchema>;

export const changeScheduleBodySchema = z.strictObject({
	paused: z.boolean({ error: "Send paused as true or false." }),
});

export const scheduleSchema = z.object({
	id: idSchema,
	everySeconds: z.int(),
	endsAt: timestampSchema.nullable(),
	/** The body of `POST /v1/jobs`, without the grid's password. */
	job: scheduledJobSchema,
	paused: z.boolean(),
	/** Why the dashboard paused it, such as a runner that was removed; null if a person did. */
	pausedBecause: z.string().nullable(),
	/** Null while it is paused, and once it has ended. */
	nextStartAt: timestampSchema.nullable(),
	/** The job that it started last; null if that job was deleted. */
	lastJob: z.object({ id: idSchema, status: z.enum(JOB_STATUSES), createdAt: timestampSchema }).nullable(),
	startedJobs: z.int(),
	/** Starts at which no job was created, such as those that found the last job still running. */
	skippedStarts: z.int(),
	/** The newest of them, and why; null without any. */
	lastSkip: z.object({ at: timestampSchema, reason: z.string() }).nullable(),
	createdBy: z.string().nullable(),
	createdAt: timestampSchema,
});
export type Schedule = z.infer<typeof scheduleSchema>;
export const schedulePageSchema = pageOf(scheduleSchema);
