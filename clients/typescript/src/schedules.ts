/** Schedules: jobs that are created again and again. */
import type { CallOptions, Http } from "./http.ts";
import type { CreateSchedule, Schedule, SchedulePage } from "./openapi.ts";

export class Schedules {
	readonly #http: Http;
	constructor(http: Http) {
		this.#http = http;
	}

	/** Creates a job now, and again after each period. */
	create(body: CreateSchedule, options: CallOptions = {}): Promise<Schedule> {
		return this.#http.call("POST", "/v1/schedules", { ...options, body });
	}

	async list(options: CallOptions = {}): Promise<Schedule[]> {
		return (await this.#http.call<SchedulePage>("GET", "/v1/schedules", options)).data;
	}

	get(scheduleId: number, options: CallOptions = {}): Promise<Schedule> {
		return this.#http.call("GET", `/v1/schedules/${scheduleId}`, options);
	}

	pause(scheduleId: number, options: CallOptions = {}): Promise<Schedule> {
		return this.#change(scheduleId, true, options);
	}

	/** The next regular start follows. */
	resume(scheduleId: number, options: CallOptions = {}): Promise<Schedule> {
		return this.#change(scheduleId, false, options);
	}

	/** Its jobs stay. */
	async delete(scheduleId: number, options: CallOptions = {}): Promise<void> {
		await this.#http.call("DELETE", `/v1/schedules/${scheduleId}`, options);
	}

	#change(scheduleId: number, paused: boolean, options: CallOptions): Promise<Schedule> {
		return this.#http.call("PATCH", `/v1/schedules/${scheduleId}`, { ...options, body: { paused }, repeatable: true });
	}
}
