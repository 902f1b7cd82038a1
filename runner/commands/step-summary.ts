/** The summary of a GitHub Actions step: a table with the recording, and the tests that failed. */
import * as z from "zod";
import { fetchThroughProxy } from "../base/proxy.ts";
import { API_KEY, type Environment, fromEnvironment } from "../config/settings.ts";
import type { PlacedMarker } from "./test-reports.ts";

const CALL_TIMEOUT_MS = 5_000;
/** The longest that a signed URL may work. */
const A_WEEK_SECONDS = 604_800;
const MAX_TESTS = 50;

export interface StepSummary {
	/** The job's page. */
	url: string;
	name: string;
	outcome: string;
	length: string;
	markers: readonly PlacedMarker[];
}

/** What a table cell or a link's text must not contain. */
const plain = (text: string): string => text.replace(/[|[\]<>`*_\\]/g, "\\$&");

/** @param poster the URL of a picture that GitHub can fetch without credentials, if there is one. */
export function stepSummary({ url, name, outcome, length, markers }: StepSummary, poster: string | null): string {
	const picture = poster === null ? "" : `[<img src="${poster}" width="240" alt="">](${url}) <br> `;
	const failed = markers.filter(({ kind }) => kind === "fail").slice(0, MAX_TESTS);
	const tests = failed.map(
		({ label, offsetSeconds, isAbout }) => `- [${plain(label)}](${url}${isAbout ? "" : `?t=${offsetSeconds}`})`,
	);
	return [
		"| Recording | Outcome | Length |",
		"|---|---|---|",
		`| ${picture}[${plain(name)}](${url}) | ${outcome} | ${length} |`,
		...(tests.length === 0 ? [] : ["", "Failed tests:", "", ...tests]),
		"",
		"",
	].join("\n");
}

const jobSchema = z.object({ recording: z.object({ id: z.int() }).nullable() });
const signedSchema = z.object({ posterUrl: z.url() });

/** The signed URL of a job's poster, with TAPEDECK_API_KEY; null without the key, and when it cannot be had. */
export async function posterUrl(env: Environment, jobUrl: string): Promise<string | null> {
	const key = env[API_KEY];
	const base = fromEnvironment(env, "url")?.replace(/\/+$/, "");
	const jobId = /\/jobs\/(\d+)$/.exec(jobUrl)?.[1];
	if (!key || base === undefined || jobId === undefined) return null;
	const get = async (path: string): Promise<unknown> => {
		const headers = { authorization: `Bearer ${key}` };
		const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
		const response = await fetchThroughProxy(`${base}${path}`, { headers, signal });
		return response.ok ? response.json() : null;
	};
	try {
		const recordingId = jobSchema.parse(await get(`/v1/jobs/${jobId}`)).recording?.id;
		if (recordingId === undefined) return null;
		const path = `/v1/recordings/${recordingId}/url?expiresInSeconds=${A_WEEK_SECONDS}`;
		return signedSchema.parse(await get(path)).posterUrl;
	} catch {
		// A picture is not worth a warning.
		return null;
	}
}
