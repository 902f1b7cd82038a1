import { locationHeader } from "@tapedeck/contract/headers.ts";
import { createScheduleBodySchema, schedulePageSchema, scheduleSchema } from "@tapedeck/contract/schedule.ts";
import { Answer, route } from "#lib/http/route.ts";
import { createSchedule, listSchedules } from "#lib/jobs/schedules.ts";

export const GET = route(
	{
		operationId: "listSchedules",
		summary: "List the schedules",
		permission: "jobs:read",
		answers: { 200: schedulePageSchema },
	},
	({ ctx }) => listSchedules(ctx),
);

export const POST = route(
	{
		operationId: "createSchedule",
		summary: "Create a job now, and again after each period",
		permission: "jobs:write",
		audit: ["schedule.created"],
		body: createScheduleBodySchema,
		answerHeaders: locationHeader,
		refusals: ["conflict", "too_many_requests"],
		answers: { 201: scheduleSchema },
	},
	async ({ ctx, body }) => {
		const schedule = await createSchedule(ctx, body);
		return new Answer(201, schedule, { location: `/v1/schedules/${schedule.id}` });
	},
);
