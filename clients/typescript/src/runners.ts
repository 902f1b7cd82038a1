/** Runners: the agents on machines with displays. */
import type { CallOptions, Http } from "./http.ts";
import { List } from "./list.ts";
import type { ListRunnersQuery, Runner } from "./openapi.ts";

export type RunnerFilter = ListRunnersQuery;

export class Runners {
	readonly #http: Http;
	constructor(http: Http) {
		this.#http = http;
	}

	/** Runners with their displays. */
	list(filter: RunnerFilter = {}, options: CallOptions = {}): List<Runner> {
		return new List(
			(cursor) => this.#http.call("GET", "/v1/runners", { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	get(runnerId: number, options: CallOptions = {}): Promise<Runner> {
		return this.#http.call("GET", `/v1/runners/${runnerId}`, options);
	}
}
