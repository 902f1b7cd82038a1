/** The summary of a GitHub Actions step: a table with the recording, and the tests that failed. */
import { API_KEY } from "@tapedeck/machine/runner-variables.ts";
import { type Environment, fromEnvironment } from "../config/settings.ts";

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
	/** Tests that failed. */
	links: readonly { title: string; url: string }[];
}

/** Characters that a table cell or a link's text must not contain. */
const plain = (text: string): string => text.replace(/[|[\]<>`*_\\]/g, "\\$&");

/** @param poster the URL of a picture that GitHub can fetch without credentials, if there is one. */
export function stepSummary({ url, name, outcome, length, links }: StepSummary, poster: string | null): string {
	const picture = poster === null ? "" : `[<img src="${poster}" width="240" alt="">](${url}) <br> `;
	const tests = links.slice(0, MAX_TESTS).map((link) => `- [${plain(link.title)}](${link.url})`);
	return [
		"| Recording | Outcome | Length |",
		"|---|---|---|",
		`| ${picture}[${plain(name)}](${url}) | ${outcome} | ${length} |`,
		...(tests.length === 0 ? [] : ["", "Failed tests:", "", ...tests]),
		"",
		"",
	].join("\n");
}

/** The signed URL of a job's poster, with TAPEDECK_API_KEY; null without the key, and when it cannot be had. */
export async function posterUrl(env: Environment, jobUrl: string): Promise<string | null> {
	const apiKey = env[API_KEY];
	const url = fromEnvironment(env, "url");
	const jobId = /\/jobs\/(\d+)$/.exec(jobUrl)?.[1];
	if (!apiKey || url === undefined || jobId === undefined) return null;
	try {
		// Most commands need none.
		const { Tapedeck } = await import("@tapedeck/client-source/index.ts");
		const client = new Tapedeck({ url, apiKey, retries: 0 });
		const soon = () => ({ signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
		const { recording } = await client.jobs.get(Number(jobId), soon());
		if (recording === null) return null;
		const signed = await client.recordings.signedUrl(recording.id, { expiresInSeconds: A_WEEK_SECONDS, ...soon() });
		return signed.posterUrl;
	} catch {
		// A picture is not worth a warning.
		return null;
	}
}
