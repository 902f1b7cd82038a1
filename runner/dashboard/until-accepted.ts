import { Backoff, pause } from "../base/wait.ts";
import { CallFailedError } from "./client.ts";
import type { Connection } from "./connection.ts";

/** Repeats a call until the dashboard answers, or the signal aborts. @throws CallFailedError if repeating it cannot help. */
export async function untilAccepted(
	connection: Connection,
	ended: AbortSignal,
	call: (sessionId: string) => Promise<void>,
): Promise<void> {
	const backoff = new Backoff();
	let refusedBy: string | null = null;
	for (;;) {
		const session = await connection.session();
		if (ended.aborted) return;
		try {
			return await call(session);
		} catch (error) {
			if (ended.aborted) return;
			if (!(error instanceof CallFailedError)) throw error;
			const isOfSession = [401, 403].includes(error.status);
			// A new session that is refused as well means that the job is no longer the runner's.
			if (!error.isTransient && (!isOfSession || (refusedBy !== null && refusedBy !== session))) throw error;
			if (isOfSession) refusedBy = session;
			connection.handleCallError(error, session);
		}
		await pause(backoff.nextMs(), ended);
	}
}
