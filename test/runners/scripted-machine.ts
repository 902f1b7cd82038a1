/** A runner of which only the words are there: it signs in, and out, and shows nothing. */
import type { Display } from "#lib/contract/runner.ts";
import type { SignInAnswer } from "#lib/contract/runner-protocol.ts";
import type { Dashboard } from "../stack.ts";

/** @returns its id; it is offline at once when `leaves`. */
export async function signInMachine(
	tapedeck: Pick<Dashboard, "url" | "runnerToken">,
	name: string,
	{
		displays = [{ id: ":7", width: 1280, height: 720 }],
		leaves = true,
	}: { displays?: Display[]; leaves?: boolean } = {},
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
	const session = (await post("sign-in", { name, version: "0.1.0", instanceId, displays })) as SignInAnswer;
	if (leaves) await post("sign-out", { sessionId: session.sessionId });
	return session.runnerId;
}
