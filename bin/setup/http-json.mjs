/** Makes one HTTP call to the dashboard on this machine. Node 18's fetch would print a warning. */
import { request } from "node:http";

/**
 * @returns `{ status, body }`; body is parsed JSON, or null.
 * @throws the socket's error, also when there is no answer within 5 s.
 */
export function getJson(url, { token } = {}) {
	return new Promise((resolve, reject) => {
		const headers = {
			accept: "application/json",
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
		};
		const call = request(url, { headers, timeout: 5_000, agent: false }, (answer) => {
			let text = "";
			answer.setEncoding("utf8");
			answer.on("data", (part) => {
				if (text.length < 1e6) text += part;
			});
			answer.once("end", () => resolve({ status: answer.statusCode, body: parsed(text) }));
			answer.once("error", reject);
		});
		call.once("timeout", () => call.destroy(new Error("no answer within 5 s")));
		call.once("error", reject);
		call.end();
	});
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/**
 * Polls until the answer is not null.
 * @param ended a promise that ends the polling.
 * @returns the answer, or null when the deadline passed or `ended` came first.
 */
export async function until(ask, { timeoutMs, everyMs = 100, ended }) {
	const deadline = performance.now() + timeoutMs;
	let over = false;
	ended?.then(() => {
		over = true;
	});
	while (!over && performance.now() < deadline) {
		const answer = await ask().catch(() => null);
		if (answer !== null) return answer;
		await new Promise((next) => setTimeout(next, everyMs));
	}
	return null;
}
