/** Builds: jobs and recordings with the same label `build`. */
import type { CallOptions, Http } from "./http.ts";
import type { Build, BuildEnd, BuildReport, FinishBuild } from "./openapi.ts";

export class Builds {
	readonly #http: Http;
	constructor(http: Http) {
		this.#http = http;
	}

	get(build: string, options: CallOptions = {}): Promise<Build> {
		return this.#http.call("GET", `/v1/builds/${encodeURIComponent(build)}`, options);
	}

	/**
	 * Gets a build's report: the outcomes of its tests, the differences from the previous build, and the causes of its
	 * failures.
	 */
	report(build: string, options: CallOptions = {}): Promise<BuildReport> {
		return this.#http.call("GET", `/v1/builds/${encodeURIComponent(build)}/report`, options);
	}

	/**
	 * Declares a build complete: it is finished when its jobs have ended.
	 * @param body.expectedJobs the total number of its jobs and test runs; the current number if omitted.
	 */
	finish(build: string, body: FinishBuild = {}, options: CallOptions = {}): Promise<BuildEnd> {
		const path = `/v1/builds/${encodeURIComponent(build)}/finish`;
		return this.#http.call("POST", path, { ...options, body, repeatable: true });
	}
}
