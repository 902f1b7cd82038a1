import { expect, test } from "vitest";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";

onOneDatabase((api) => {
	const runner = protocolRunner(api);

	const ask = (id: number, on: boolean) => api().call("POST", `/v1/jobs/${id}/privacy`, { body: { on } });
	const confirm = (id: number, version: number, on: boolean, stretches: object[], more: object = {}) =>
		runner.report(id, { type: "privacy", message: "Confirmed.", version, on, stretches, ...more });
	/** A job of which the runner has captured the first frame. */
	async function recordingJob(): Promise<number> {
		const { id } = await runner.startJob();
		await runner.report(id, firstFrame);
		return id;
	}
	/** The poll of a runner that has this job, with this version of its privacy. */
	const polled = async (id: number, privacyVersion: number, waitSeconds = 0) =>
		(await runner.sync([{ id, privacyVersion }], waitSeconds)).privacy;

	test("the call is answered once the runner has confirmed that its video is black, and a repeated one at once with the same", async () => {
		const id = await recordingJob();
		const polling = polled(id, 0, 8);
		let isAnswered = false;
		const asked = ask(id, true).finally(() => {
			isAnswered = true;
		});
		expect(await polling).toEqual([{ id, version: 1, on: true }]);
		expect(isAnswered).toBe(false);
		expect(await polled(id, 1)).toBeUndefined();
		const at = new Date().toISOString();
		await confirm(id, 1, true, [{ from: 1.2, to: null }], { at });
		const answer = await asked;
		expect([answer.status, answer.body]).toEqual([200, { on: true, effectiveAt: at }]);
		expect((await ask(id, true)).body).toEqual(answer.body);
		expect((await runner.eventTypes(id)).filter((type) => type.startsWith("privacy"))).toEqual([
			"privacy_requested",
			"privacy",
		]);
	});

	test("privacy that is ended and begun again is not confirmed before the runner has heard of both", async () => {
		const id = await recordingJob();
		const first = ask(id, true);
		await polled(id, 0, 8);
		await confirm(id, 1, true, [{ from: 1, to: null }]);
		expect((await first).status).toBe(200);
		const ended = ask(id, false);
		// On its way to the runner, which has not ended it yet.
		expect(await polled(id, 1, 8)).toEqual([{ id, version: 2, on: false }]);
		let isAnswered = false;
		const again = ask(id, true).finally(() => {
			isAnswered = true;
		});
		expect((await ended).body.code).toBe("conflict");
		expect(isAnswered).toBe(false);
		await confirm(id, 2, false, [{ from: 1, to: 2 }]);
		expect(await polled(id, 2, 8)).toEqual([{ id, version: 3, on: true }]);
		expect(isAnswered).toBe(false);
		await confirm(id, 3, true, [
			{ from: 1, to: 2 },
			{ from: 3, to: null },
		]);
		expect((await again).body).toMatchObject({ on: true });
	});

	test("a job that is queued begins private, and an older runner refuses it because it does not know its type", async () => {
		const { id } = await runner.createJob();
		const answer = await ask(id, true);
		expect([answer.status, answer.body]).toEqual([200, { on: true, effectiveAt: null }]);
		const [order] = (await runner.sync()).start;
		expect(order).toMatchObject({ id, type: "private_recording", privacy: { version: 1, on: true } });
		// Taken, but not begun: only the runner knows.
		const waiting = ask(id, true);
		await runner.report(id, firstFrame);
		await confirm(id, 1, true, [{ from: 0, to: null }]);
		expect((await waiting).body.effectiveAt).toEqual(expect.any(String));
		const other = await runner.createJob();
		await ask(other.id, true);
		expect((await ask(other.id, false)).body).toEqual({ on: false, effectiveAt: null });
		const start = (await runner.sync([{ id, privacyVersion: 1 }])).start[0];
		expect(start).toMatchObject({ id: other.id, privacy: { version: 2, on: false } });
		expect(start).not.toHaveProperty("type");
	});

	test("without a confirmation within 10 s it is refused, and stays asked for; a runner that cannot do so is not asked", async () => {
		const id = await recordingJob();
		const asked = ask(id, true);
		expect((await runner.sync([{ id }], 1)).privacy).toBeUndefined();
		const answer = await asked;
		expect([answer.status, answer.body.code]).toEqual([409, "privacy_unconfirmed"]);
		expect(answer.body.detail).toContain(`${runner.name} has not confirmed it within 10 s: what the display shows may`);
		expect(await polled(id, 0)).toEqual([{ id, version: 1, on: true }]);
	});

	test("a job that does not exist has no privacy, one that records no more cannot get any, and its end ends the wait", async () => {
		expect((await ask(999_999, true)).status).toBe(404);
		const id = await recordingJob();
		const asked = ask(id, true);
		await polled(id, 0, 8);
		await runner.report(id, stopped("duration_elapsed"));
		for (const answer of [await asked, await ask(id, true), await ask(id, false)]) {
			expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
			expect(answer.body.detail).toContain("does not record any more");
		}
		const odd = await api().call("POST", `/v1/jobs/${id}/privacy`, { body: { on: "yes" } });
		expect([odd.status, odd.body.errors[0].path]).toEqual([422, "on"]);
	});

	test("a change on the runner's machine counts, and if both were changed at once, the dashboard's change does", async () => {
		const id = await recordingJob();
		await confirm(id, 1, true, [{ from: 1, to: null }]);
		expect((await ask(id, true)).status).toBe(200);
		expect(await polled(id, 1)).toBeUndefined();
		const ended = ask(id, false);
		expect(await polled(id, 1, 8)).toEqual([{ id, version: 2, on: false }]);
		await confirm(id, 2, false, [{ from: 1, to: 2 }]);
		expect((await ended).status).toBe(200);
		const asked = ask(id, true);
		expect(await polled(id, 2, 8)).toEqual([{ id, version: 3, on: true }]);
		await confirm(id, 3, false, [{ from: 1, to: 2 }]);
		expect(await polled(id, 3, 8)).toEqual([{ id, version: 4, on: true }]);
		await confirm(id, 4, true, [
			{ from: 1, to: 2 },
			{ from: 3, to: null },
		]);
		expect((await asked).body).toMatchObject({ on: true });
	});

	test("the recording and its shared page say where it is private, and its display has no picture meanwhile", async () => {
		const id = await recordingJob();
		const recordingId = await runner.storeRecording(id, "live");
		const stretches = [
			{ from: 0.4, to: 1.5 },
			{ from: 2, to: null },
		];
		await confirm(id, 1, true, stretches);
		const picture = await api().call("GET", `/v1/runners/${runner.runnerId}/displays/99/picture`);
		expect([picture.status, picture.body.code]).toEqual([409, "picture_unavailable"]);
		expect(picture.body.detail).toBe(":99 is private at the moment: a job records it black.");
		expect((await api().call("GET", `/v1/recordings/${recordingId}`)).body.privacy).toEqual(stretches);
		const shared = { body: { expiresAt: null } };
		const { url } = (await api().call("POST", `/v1/recordings/${recordingId}/links`, shared)).body;
		const page = await api().call("GET", `/v1/shared/${url.split("/").at(-1)}`, { token: null });
		expect(page.body.privacy).toEqual(stretches);
	});
});
