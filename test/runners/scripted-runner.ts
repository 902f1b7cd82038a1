/** A runner without a recorder: it does and tells what a test says, so that pages can be looked at in every state. */
import type { CreateJobBody } from "#lib/contract/job.ts";
import type { JobReport } from "#lib/contract/runner-protocol.ts";
import type { Dashboard } from "../stack.ts";

type Told = JobReport extends infer Report
	? Report extends JobReport
		? Omit<Report, "jobId" | "seq" | "at">
		: never
	: never;

/** When a job is to end, as its runner is told; it does not keep to it. */
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
	const sync = () =>
		post("sync", { sessionId, jobs: [...jobs].map((id) => ({ id, cancelSeen: false })), waitSeconds: 0 });
	const alive = setInterval(() => void sync().catch(() => undefined), 3_000);
	let seq = 0;
	const tus = { ...headers, "tus-resumable": "1.0.0", "tapedeck-session": sessionId };
	const report = (jobId: number, told: Told) => {
		const at = new Date().toISOString();
		seq += 1;
		return post("reports", { sessionId, sentAt: at, jobs: [{ ...told, jobId, seq, at }] });
	};
	return {
		runnerId,
		report,
		/** A job of this runner that records, without a byte yet. */
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
					...tus,
					"upload-defer-length": "1",
					"upload-metadata": `jobId ${btoa(String(id))},filetype ${btoa("video/mp4")}`,
				},
			});
			if (upload.status !== 201) throw new Error(`the upload was not begun: ${upload.status}`);
			return id;
		},
		/** Sends bytes of a job's video. @returns the answer's status. */
		async send(jobId: number, offset: number, bytes: Buffer, length?: number): Promise<number> {
			const answer = await fetch(`${dashboard.url}/v1/uploads/job-${jobId}`, {
				method: "PATCH",
				headers: {
					...tus,
					"content-type": "application/offset+octet-stream",
					"upload-offset": String(offset),
					...(length === undefined ? {} : { "upload-length": String(length) }),
				},
				body: new Uint8Array(bytes),
			});
			return answer.status;
		},
		/** Sends a picture of the recording at that second. @returns the answer's status. */
		async picture(jobId: number, at: number, jpeg: Buffer): Promise<number> {
			const answer = await fetch(`${dashboard.url}/v1/runner/jobs/${jobId}/poster?at=${at}`, {
				method: "PUT",
				headers: { ...headers, "tapedeck-session": sessionId, "content-type": "image/jpeg" },
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
