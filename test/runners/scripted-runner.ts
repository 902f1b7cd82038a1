/** Runners without a recorder, which report what a test says: for pages in every state. */
import type { CreateJobBody } from "#lib/contract/job.ts";
import type { Display } from "#lib/contract/runner.ts";
import type { JobReport, SignInAnswer, SyncAnswer } from "#lib/contract/runner-protocol.ts";
import { VERSION } from "#lib/contract/version.ts";
import type { Dashboard } from "../stack.ts";

type ReportFields = JobReport extends infer Report
	? Report extends JobReport
		? Omit<Report, "jobId" | "jobKey" | "seq" | "at">
		: never
	: never;

/** The stop condition of a job. The scripted runner ignores it. */
type Until = CreateJobBody extends infer Body
	? Body extends CreateJobBody
		? Pick<Body, "stopCondition" | "stopConditionConfig">
		: never
	: never;

export type ScriptedRunner = Awaited<ReturnType<typeof scriptRunner>>;

const SMALL = [{ id: ":77", width: 160, height: 120 }];

/** Signs in and stays connected until `stop`. */
export async function scriptRunner(
	dashboard: Pick<Dashboard, "url" | "api" | "runnerToken">,
	name: string,
	displays = SMALL,
) {
	const headers = { authorization: `Bearer ${dashboard.runnerToken}` };
	const post = async (path: string, body: unknown) => {
		const answer = await fetch(`${dashboard.url}/v1/runner/${path}`, {
			method: "POST",
			headers: { ...headers, "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		if (!answer.ok && answer.status !== 409) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
		return answer.status === 204 ? null : answer.json();
	};
	const { sessionId, runnerId } = (await post("sign-in", {
		name,
		version: "test",
		instanceId: `instance of ${name}`,
		displays,
	})) as { sessionId: string; runnerId: number };
	const jobs = new Set<number>();
	const keys = new Map<number, string>();
	const sync = async () => {
		const listed = [...jobs].map((id) => ({ id, key: keys.get(id), cancelSeen: false }));
		const answer = (await post("sync", { sessionId, jobs: listed, waitSeconds: 0 })) as Partial<SyncAnswer>;
		for (const { id, key } of answer.start ?? []) keys.set(id, key);
		return answer;
	};
	const alive = setInterval(() => void sync().catch(() => undefined), 3_000);
	let seq = 0;
	const callOf = (jobId: number) => ({
		...{ ...headers, "tapedeck-session": sessionId },
		"tapedeck-job-key": keys.get(jobId) ?? "",
	});
	const tusOf = (jobId: number) => ({ ...callOf(jobId), "tus-resumable": "1.0.0" });
	/** @param clock what the runner's clock shows, and `at`, when it happened by that clock: both in ms since 1970. */
	const report = (
		jobId: number,
		fields: ReportFields,
		{ clock = Date.now(), at = clock }: { clock?: number; at?: number } = {},
	) => {
		seq += 1;
		const [sentAt, moment] = [clock, at].map((ms) => new Date(ms).toISOString());
		return post("reports", {
			sessionId,
			sentAt,
			jobs: [{ ...fields, jobId, jobKey: keys.get(jobId), seq, at: moment }],
		});
	};
	return {
		runnerId,
		report,
		/** Reports sessions that it saw on its grid. */
		saw: (sessions: readonly unknown[]) =>
			post("reports", { sessionId, sentAt: new Date().toISOString(), jobs: [], sessions }),
		/** Takes the jobs that wait for the runner. */
		take: () => sync(),
		/** Creates a job that is recording, with an empty upload. @returns its id. */
		async record(jobName: string, until: Until = { stopCondition: "interrupt" }): Promise<number> {
			const { id } = await dashboard.api.createJob({
				runnerId,
				displayId: displays[0]?.id ?? ":77",
				name: jobName,
				...until,
			});
			await sync();
			jobs.add(id);
			await report(id, { type: "recording", width: displays[0]?.width ?? 160, height: displays[0]?.height ?? 120 });
			const upload = await fetch(`${dashboard.url}/v1/uploads`, {
				method: "POST",
				headers: {
					...tusOf(id),
					"upload-defer-length": "1",
					"upload-metadata": `jobId ${btoa(String(id))},filetype ${btoa("video/mp4")}`,
				},
			});
			if (upload.status !== 201) throw new Error(`The upload was not created: ${upload.status}`);
			return id;
		},
		/** Sends bytes of a job's video. @returns the answer's status. */
		async send(jobId: number, offset: number, bytes: Buffer, length?: number): Promise<number> {
			const answer = await fetch(`${dashboard.url}/v1/uploads/job-${jobId}`, {
				method: "PATCH",
				headers: {
					...tusOf(jobId),
					"content-type": "application/offset+octet-stream",
					"upload-offset": String(offset),
					...(length === undefined ? {} : { "upload-length": String(length) }),
				},
				body: new Uint8Array(bytes),
			});
			return answer.status;
		},
		/** Sends a still of the recording at that second. @returns the answer's status. */
		async picture(jobId: number, at: number, jpeg: Buffer): Promise<number> {
			const answer = await fetch(`${dashboard.url}/v1/runner/jobs/${jobId}/poster?at=${at}`, {
				method: "PUT",
				headers: { ...callOf(jobId), "content-type": "image/jpeg" },
				body: new Uint8Array(jpeg),
			});
			return answer.status;
		},
		async stop(): Promise<void> {
			clearInterval(alive);
			await post("sign-out", { sessionId });
		},
	};
}

/** Signs in a runner that does nothing more. @param options.leaves signs it out again, so that it is offline. @returns its id. */
export async function signInMachine(
	tapedeck: Pick<Dashboard, "url" | "runnerToken">,
	name: string,
	{
		displays = [{ id: ":7", width: 1280, height: 720 }],
		leaves = true,
		version = VERSION,
	}: { displays?: Display[]; leaves?: boolean; version?: string } = {},
): Promise<number> {
	const post = async (verb: string, body: unknown) => {
		const answer = await fetch(`${tapedeck.url}/v1/runner/${verb}`, {
			method: "POST",
			headers: { authorization: `Bearer ${tapedeck.runnerToken}`, "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		if (!answer.ok) throw new Error(`${verb}: ${answer.status} ${await answer.text()}`);
		return answer.status === 204 ? null : answer.json();
	};
	const instanceId = `machine-${name}`.padEnd(8, "-");
	const session = (await post("sign-in", { name, version, instanceId, displays })) as SignInAnswer;
	if (leaves) await post("sign-out", { sessionId: session.sessionId });
	return session.runnerId;
}
