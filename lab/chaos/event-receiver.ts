/**
 * A receiver of webhooks during a run. It checks each signature, and refuses every eighth message once, so that those behind it wait.
 * Afterwards, the log of deliveries must agree with what has arrived: nothing is missing, and the events of a job came in order.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Delivery, NewWebhook, Webhook, WebhookPayload } from "@tapedeck/contract/webhook.ts";
import { Webhook as Verifier } from "standardwebhooks";

/** Addresses that the dashboards of a run may send to: TAPEDECK_WEBHOOK_ALLOW. */
export const RECEIVER_NETWORK = "127.0.0.0/8";
const REFUSED_SHARE = 8;
/** Refused messages come again after 5 s, and those that a dashboard was sending when it was killed when another one notices. */
const ARRIVE_MS = 60_000;
const POLL_MS = 500;

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

interface Arrived {
	messageId: string;
	jobId: number | null;
	payload: WebhookPayload;
}

export class EventReceiver {
	readonly #server = createServer((request, response) => {
		void this.#receive(request).then((status) => response.writeHead(status).end());
	});
	readonly #arrived: Arrived[] = [];
	readonly #refused = new Set<string>();
	readonly #problems: string[] = [];
	#webhook: NewWebhook | null = null;

	/** Starts it, and asks for the events of jobs and recordings. @param call calls a dashboard. */
	static async start(call: Call): Promise<EventReceiver> {
		const receiver = new EventReceiver();
		await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
		const { port } = receiver.#server.address() as AddressInfo;
		const body = { url: `http://127.0.0.1:${port}/`, events: ["job.ended", "recording.ready"] };
		receiver.#webhook = await call<NewWebhook>("POST", "/v1/webhooks", body);
		return receiver;
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	get count(): number {
		return this.#arrived.length;
	}

	/**
	 * A sentence for each thing that is missing or out of order, once everything is over.
	 * @param jobs as they are then.
	 * @param arriveMs for what is on its way.
	 */
	async problems(call: Call, jobs: readonly Job[], arriveMs = ARRIVE_MS): Promise<string[]> {
		const id = this.#webhook?.id ?? 0;
		for (const deadline = performance.now() + arriveMs; performance.now() < deadline; await sleep(POLL_MS)) {
			const { waiting } = await call<Webhook>("GET", `/v1/webhooks/${id}`);
			if (waiting === 0 && jobs.every((job) => this.#missing(job).length === 0)) break;
		}
		const log = await this.#log(call, id);
		return [
			...this.#problems,
			...log
				.filter(
					({ state, messageId }) => state !== "delivered" || !this.#arrived.some((one) => one.messageId === messageId),
				)
				.map(
					({ type, state, messageId }) => `the delivery ${messageId} of ${type} is ${state}, and should have arrived`,
				),
			...jobs.flatMap((job) => this.#missing(job)),
			...this.#disorder(log),
		];
	}

	#missing(job: Job): string[] {
		const own = this.#arrived.filter(({ jobId }) => jobId === job.id);
		const ends = own.flatMap(({ payload }) => (payload.type === "job.ended" ? [payload.data.job.status] : []));
		return [
			...(isEnded(job.status) && ends.at(-1) !== job.status
				? [`job ${job.id} is ${job.status}, and its last event says ${ends.at(-1) ?? "nothing"}`]
				: []),
			...(job.recording?.state === "ready" && !own.some(({ payload }) => payload.type === "recording.ready")
				? [`no event says that the recording of job ${job.id} is ready`]
				: []),
		];
	}

	/** Jobs whose messages came in another order than that of the log, which has them as they were written. */
	#disorder(log: readonly Delivery[]): string[] {
		const place = new Map(log.map(({ messageId, id }) => [messageId, id]));
		const firsts = [...new Map(this.#arrived.toReversed().map((one) => [one.messageId, one])).values()].toReversed();
		const byJob = Map.groupBy(firsts, ({ jobId }) => jobId);
		return [...byJob].flatMap(([jobId, messages]) => {
			const places = messages.map(({ messageId }) => place.get(messageId) ?? 0);
			const isInOrder = places.every((at, index) => index === 0 || at > (places[index - 1] as number));
			return isInOrder ? [] : [`events of job ${jobId} came as ${places.join(", ")}`];
		});
	}

	async #log(call: Call, id: number): Promise<Delivery[]> {
		const all: Delivery[] = [];
		for (let cursor: string | null = ""; cursor !== null; ) {
			const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
			const page: Page<Delivery> = await call("GET", `/v1/webhooks/${id}/deliveries?limit=100${query}`);
			all.push(...page.data);
			cursor = page.nextCursor;
		}
		return all;
	}

	async #receive(request: IncomingMessage): Promise<number> {
		const chunks: Buffer[] = [];
		try {
			for await (const chunk of request) chunks.push(chunk as Buffer);
		} catch {
			// The dashboard was killed while it sent this.
			return 400;
		}
		const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
		const messageId = headers["webhook-id"] ?? "";
		let payload: WebhookPayload;
		try {
			payload = this.#verified(Buffer.concat(chunks).toString("utf8"), headers);
		} catch (error) {
			this.#problems.push(`the delivery ${messageId} has no valid signature: ${(error as Error).message}`);
			return 401;
		}
		const isRefused = Number.parseInt(messageId.slice(-4), 16) % REFUSED_SHARE === 0;
		if (isRefused && !this.#refused.has(messageId)) {
			this.#refused.add(messageId);
			return 503;
		}
		this.#arrived.push({ messageId, payload, jobId: jobOf(payload) });
		return 204;
	}

	/** The times of the dashboards are wrong on purpose: the signature is verified as of the time that the message names. */
	#verified(body: string, headers: Record<string, string>): WebhookPayload {
		const at = Number(headers["webhook-timestamp"]);
		const signature = new Verifier(this.#webhook?.secret ?? "").sign(
			headers["webhook-id"] ?? "",
			new Date(at * 1_000),
			body,
		);
		if (headers["webhook-signature"] !== signature) throw new Error("it is signed with another secret");
		return JSON.parse(body);
	}
}

function jobOf(payload: WebhookPayload): number | null {
	if (payload.type === "job.ended") return payload.data.job.id;
	return payload.type === "recording.ready" ? payload.data.recording.jobId : null;
}
