/** The message that a start prints once everything runs; its commands can be pasted as they are. */
import { dirname, join, relative } from "node:path";

const shownFrom = (folder) => (path) => {
	const short = relative(folder, path);
	return short.startsWith("..") ? path : `./${short}`;
};

export function greeting({ settings, credentials, file, runnerId, displayId, jobId }) {
	const { localUrl, publicUrl, runnerName, product } = settings;
	const shown = shownFrom(product.workingDir);
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

  Email      ${credentials.email}
  Password   ${credentials.password}
  API key    ${credentials.apiKey}
             (stored in ${shown(file)}, which only you can read)

Record 10 seconds of display ${displayId} of the runner "${runnerName}":

  curl -sS -X POST ${localUrl}/v1/jobs ${key} -H 'Content-Type: application/json' -d '${JSON.stringify(job)}'

Wait until the video can be played (${jobId} is the "id" that the first call returns):

  curl -sS ${key} '${localUrl}/v1/jobs/${jobId}?waitFor=playable&timeoutSeconds=60'

Logs are in ${shown(join(dirname(file), "logs"))}. Press Ctrl-C to stop. Your recordings are kept for the next ${product.command}.
`;
}
