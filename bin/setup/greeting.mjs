/** What a person sees when everything is up; every command works as it is pasted. */
import { dirname, join, relative } from "node:path";
import { root } from "./run.mjs";

const shown = (path) => {
	const short = relative(root, path);
	return short.startsWith("..") ? path : `./${short}`;
};

export function greeting({ settings, credentials, file, runnerId, displayId, jobId }) {
	const { localUrl, publicUrl, runnerName } = settings;
	const job = {
		runnerId,
		type: "recording",
		displayId,
		name: "Ten seconds of the demo display",
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 10 },
	};
	const key = `-H 'Authorization: Bearer ${credentials.apiKey}'`;
	return `
Tapedeck is ready: ${publicUrl}

  E-mail     ${credentials.email}
  Password   ${credentials.password}
  API key    ${credentials.apiKey}
             (kept in ${shown(file)}, readable by you alone)

Record 10 seconds of display ${displayId} of the runner "${runnerName}":

  curl -sS -X POST ${localUrl}/v1/jobs ${key} -H 'Content-Type: application/json' -d '${JSON.stringify(job)}'

Wait until it plays (${jobId} is the "id" in the answer to the first call after this start):

  curl -sS ${key} '${localUrl}/v1/jobs/${jobId}?waitFor=playable&timeoutSeconds=60'

Logs are in ${shown(join(dirname(file), "logs"))}. Ctrl-C stops everything; npm run up starts it again, with all that is recorded.
`;
}
