/** A receiver of webhooks: keeps what arrives, and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { until } from "#test/wait.ts";

export interface Arrived {
	headers: Record<string, string>;
	body: string;
}

type Answer = number | ((response: ServerResponse, arrived: Arrived) => void);

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** @param answer the status of each answer, or a function that answers. */
export async function startWebhookReceiver(answer: Answer = 204) {
	const arrived: Arrived[] = [];
	const state = { answer };
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const one = { headers: plain(request.headers), body: Buffer.concat(chunks).toString("utf8") };
		arrived.push(one);
		if (typeof state.answer === "function") state.answer(response, one);
		else response.writeHead(state.answer).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/hooks`,
		port,
		arrived,
		state,
		/** Waits for this many deliveries, and returns them. */
		async atLeast(count: number): Promise<Arrived[]> {
			await until(
				() => arrived.length >= count,
				() => `${count} requests arrive, not ${arrived.length}`,
			);
			return arrived;
		},
		async close(): Promise<void> {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** @returns the payload. @throws if the signature does not match the secret. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
export const verified = ({ headers, body }: Arrived, secret: string): any => new Webhook(secret).verify(body, headers);
