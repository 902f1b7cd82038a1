/** Checks the dashboard, the token and the clocks. Does not sign in, so that a running runner keeps its session. */
import * as z from "zod";
import { errorMessage } from "../base/fault.ts";
import { type HttpAnswer, HttpPool } from "../dashboard/http.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

const CALL_TIMEOUT_MS = 5_000;
const CLOCK_LEEWAY_MS = 3_000;

const healthSchema = z.object({ status: z.literal("ok") });
const runnerSchema = z.object({ organizationId: z.int(), serverTime: z.iso.datetime() });
const problemSchema = z.object({ detail: z.string() });

/** @param address the dashboard's base URL and the runner token. */
export async function checkDashboard(address: { url: string; token: string }): Promise<Finding[]> {
	const pool = new HttpPool(1);
	try {
		const reached = await checkHealth(pool, address.url);
		return reached.level === "failure" ? [reached] : [reached, ...(await checkToken(pool, address))];
	} finally {
		pool.close();
	}
}

async function checkHealth(pool: HttpPool, url: string): Promise<Finding> {
	let answer: HttpAnswer;
	try {
		answer = await pool.call({ method: "GET", url: `${url}/v1/health`, timeoutMs: CALL_TIMEOUT_MS });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const message = `The dashboard at ${url} can't be reached (${errorMessage(error)})`;
		return failure("dashboard", message, remedyFor(code ?? "", url));
	}
	if (healthSchema.safeParse(jsonOf(answer)).success) return ok("dashboard", `${url} responds`);
	const { status, headers } = answer;
	if (status >= 300 && status < 400 && headers.location !== undefined) {
		const message = `${url} redirects to ${headers.location}`;
		return failure("dashboard", message, "set TAPEDECK_URL to the final address, without /v1/health");
	}
	if (status >= 500) {
		const message = `The dashboard at ${url} responds with ${status}`;
		return failure("dashboard", message, "wait until it has started; if that doesn't help, see its log");
	}
	const message = `The server at ${url} is not Tapedeck (status ${status})`;
	return failure("dashboard", message, "set TAPEDECK_URL to the dashboard's base URL");
}

function remedyFor(code: string, url: string): string {
	if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
		return "check the host name in TAPEDECK_URL, and that this machine can resolve it";
	}
	if (code === "ECONNREFUSED") {
		return "start the dashboard, check the port in TAPEDECK_URL, and check that HOST lets it listen on more than its own machine";
	}
	if (code === "ETIMEDOUT" || code === "EHOSTUNREACH" || code === "ENETUNREACH") {
		return "check the network and the firewalls between this machine and the dashboard";
	}
	if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) {
		return "give the runner its certificate authority with NODE_EXTRA_CA_CERTS, or use the host name of the certificate";
	}
	if (/^(EPROTO|ERR_SSL)/.test(code)) return `it does not use TLS: try ${url.replace(/^https:/, "http:")}`;
	return "check that it is running and that TAPEDECK_URL is correct";
}

async function checkToken(pool: HttpPool, { url, token }: { url: string; token: string }): Promise<Finding[]> {
	const sentAt = Date.now();
	let answer: HttpAnswer;
	try {
		const headers = { accept: "application/json", authorization: `Bearer ${token}` };
		answer = await pool.call({ method: "GET", url: `${url}/v1/runner`, headers, timeoutMs: CALL_TIMEOUT_MS });
	} catch (error) {
		return [failure("token", `The dashboard could not check the token (${errorMessage(error)})`, "try again")];
	}
	const { status } = answer;
	if (status === 401 || status === 403) {
		const remedy = "create a new one under Runners, Add runner, and set TAPEDECK_TOKEN to it";
		return [failure("token", "The dashboard rejects the runner token", remedy)];
	}
	if (status === 404) {
		const remedy = "update both to the same version, or start the runner to test the token";
		return [warning("token", "The dashboard has another version than this runner and can't check the token", remedy)];
	}
	const check = runnerSchema.safeParse(jsonOf(answer)).data;
	if (check === undefined) {
		const reason = problemSchema.safeParse(jsonOf(answer)).data?.detail ?? `status ${status}`;
		return [failure("token", `The dashboard could not check the token (${reason})`, "see its log")];
	}
	// The dashboard read its clock halfway through the call.
	const aheadMs = (sentAt + Date.now()) / 2 - Date.parse(check.serverTime);
	return [ok("token", `The runner token is valid, for organization ${check.organizationId}`), clockFinding(aheadMs)];
}

/** @param aheadMs how far this machine's clock is ahead of the dashboard's. */
export function clockFinding(aheadMs: number): Finding {
	const seconds = Math.round(Math.abs(aheadMs) / 1_000);
	if (Math.abs(aheadMs) <= CLOCK_LEEWAY_MS) return ok("clock", "This machine's clock and the dashboard's agree");
	const message = `This machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the dashboard's`;
	return warning("clock", message, "synchronize both with NTP, such as by: timedatectl set-ntp true");
}

function jsonOf(answer: HttpAnswer): unknown {
	try {
		return JSON.parse(answer.text);
	} catch {
		return null;
	}
}
