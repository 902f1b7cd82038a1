import type { Session } from "../auth/auth.ts";
import type { AppContext } from "./app-context.ts";
import { unauthorized } from "./problem.ts";

/** The session of a call that a user makes. @throws unauthorized when it has ended since the call was admitted. */
export async function currentSession(app: AppContext, headers: Headers): Promise<Session> {
	const session = await app.auth.session(headers);
	if (session === null) throw unauthorized();
	return session;
}
