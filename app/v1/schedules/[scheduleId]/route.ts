import { changeScheduleBodySchema, scheduleSchema } from "@tapedeck/contract/schedule.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { deleteSchedule, pauseSchedule, readSchedule } from "#lib/jobs/schedules.ts";

const params = pathIds("scheduleId");

export const GET = route(
	{
		operationId: "getSchedule",
		summary: "Get a schedule",
		permission: "jobs:read",
		params,
		answers: { 200: scheduleSchema },
	},
	({ ctx, params }) => readSchedule(ctx, params.scheduleId),
);

export const PATCH = route(
	{
		operationId: "updateSchedule",
		summary: "Pause a schedule, or resume it with its next regular start",
		permission: "jobs:write",
		audit: ["schedule.paused", "schedule.resumed"],
		params,
		body: changeScheduleBodySchema,
		answers: { 200: scheduleSchema },
	},
	({ ctx, params, body }) => pauseSchedule(ctx, params.scheduleId, body.paused),
);

export const DELETE = route(
	{
		operationId: "deleteSchedule",
		summary: "Delete a schedule; its jobs stay",
		permission: "jobs:write",
		audit: ["schedule.deleted"],
		params,
		answers: { 204: null },
	},
	({ ctx, params }) => deleteSchedule(ctx, params.scheduleId),
);
