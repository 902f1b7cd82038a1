/** Screenshot jobs. */
import { JOB_KEY_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import { messageOf } from "./base/fault.ts";
import type { RunnerLog } from "./base/log.ts";
import { type ScreenshotTools, takeScreenshot } from "./capture/take-screenshot.ts";
import { CallFailedError, problemOf } from "./dashboard/client.ts";
import type { Connection } from "./dashboard/connection.ts";
import { untilAccepted } from "./dashboard/until-accepted.ts";
import { labelOf, UnspooledJobs, type UnspooledOrder, type UnspooledSignals } from "./unspooled-jobs.ts";

const DISPLAY_WAIT_MS = 10_000;
const SEND_TIMEOUT_MS = 60_000;

interface ScreenshotOrder extends UnspooledOrder {
	displayId: string;
	video?: VideoOptions;
}

export class Screenshots extends UnspooledJobs<ScreenshotOrder> {
	readonly #tools: ScreenshotTools;

	constructor(tools: ScreenshotTools, connection: Connection, log: RunnerLog, closed: AbortSignal) {
		super(connection, log, closed);
		this.#tools = tools;
	}

	protected async run(order: ScreenshotOrder, { ended, signal }: UnspooledSignals): Promise<void> {
		const { displayId, video = {} } = order;
		this.log.info(`${labelOf(order)}: screenshot of ${displayId}.`);
		const taken = await takeScreenshot(this.#tools, { displayId, video, displayWaitMs: DISPLAY_WAIT_MS, signal });
		if (ended.aborted) return;
		if (taken === null) return this.report(order, ended, { type: "cancelled" });
		if ("fault" in taken) {
			const message = messageOf(taken.fault);
			this.log.warn(`${labelOf(order)} failed: ${message}`);
			return this.report(order, ended, { type: "failed", code: taken.fault.code, message });
		}
		const { png, at, verdict, note } = taken;
		const { shiftMs } = this.connection.clock;
		const query = new URLSearchParams({
			at: new Date(at).toISOString(),
			verdict,
			...(shiftMs === undefined ? {} : { clockShiftMs: String(shiftMs) }),
			...(note === undefined ? {} : { note }),
		});
		await untilAccepted(this.connection, ended, () => this.#send(order, `${query}`, png, ended));
	}

	async #send({ id, key }: ScreenshotOrder, query: string, png: Buffer, signal: AbortSignal): Promise<void> {
		const answer = await this.connection.client.send({
			method: "PUT",
			path: `/v1/runner/jobs/${id}/screenshot?${query}`,
			headers: { "content-type": "image/png", [JOB_KEY_HEADER]: key },
			body: png,
			timeoutMs: SEND_TIMEOUT_MS,
			signal,
		});
		if (answer.status >= 200 && answer.status < 300) return;
		const problem = problemOf(answer);
		const { code = null, detail = null } = problem ?? {};
		throw new CallFailedError(detail ?? `status ${answer.status}`, answer.status, code, detail);
	}
}
