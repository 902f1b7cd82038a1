/** Checks with real grids: browser sessions are recorded, and the recording stops by itself. */

import { expect } from "vitest";
import type { Stack } from "../stack.ts";
import { decodeRecording } from "../videos/decode-recording.ts";
import { pause } from "../wait.ts";
import { type Grid, type GridAccess, openSession, PAGE, PAGE_COLOR } from "./selenium-grid.ts";

/** When the last browser was asked to quit and when that was done, in milliseconds since 1970. */
export interface Session {
	quitSentAt: number;
	quitDoneAt: number;
}

const COLOR_TOLERANCE = 12;
/** Long enough that a recording which stopped too early would miss the page. */
export const SESSION_MS = 4_000;

/** A job that watches the grid and waits for its first session; records when this resolves. */
export async function recordGrid(stack: Stack, grid: GridAccess): Promise<number> {
	const { url: gridUrl, username: gridUsername, password: gridPassword } = grid;
	const { id } = await stack.api.createJob({
		runnerId: stack.runnerId,
		displayId: stack.displayId,
		name: "Real browser sessions",
		stopCondition: "selenium_idle",
		stopConditionConfig: {
			gridUrl,
			firstSessionTimeoutSeconds: 120,
			...(gridUsername === undefined ? {} : { gridUsername, gridPassword }),
		},
	});
	await stack.api.waitFor(id, "recording");
	return id;
}

/** Opens sessions one after the other. @param gapsMs from the request to quit a session to the request for the next one. */
export async function browseInTurn(grid: GridAccess, gapsMs: number[]): Promise<Session> {
	for (const gapMs of gapsMs) {
		const session = await openSession(grid);
		await session.show(PAGE);
		const quitSentAt = performance.now();
		await session.quit();
		await pause(quitSentAt + gapMs - performance.now());
	}
	return browse(grid, 1_500);
}

/** Opens one session that shows the page. */
export async function browse(grid: GridAccess, forMs: number, binary?: string): Promise<Session> {
	const session = await openSession(grid, binary);
	await session.show(PAGE);
	await pause(forMs);
	const quitSentAt = Date.now();
	await session.quit();
	return { quitSentAt, quitDoneAt: Date.now() };
}

/**
 * Records with `selenium_idle` while `browse` opens its sessions, and expects the recording to end on time after the last
 * one, with the decisive polls in its events.
 * @param browse returns the session after which the recording has to end; later ones must come too late.
 */
export async function expectSessionsRecorded(stack: Stack, grid: GridAccess, browse: () => Promise<Session>) {
	const id = await recordGrid(stack, grid);
	const session = await browse();
	const job = await stack.api.waitFor(id, "playable");
	expect(job).toMatchObject({ status: "completed", stopReason: "selenium_idle", error: null });
	const stoppedAt = Date.parse(job.stoppedAt ?? "");
	// The grid stops counting the session at a time between these two moments, and is polled every half second.
	expect(stoppedAt - session.quitSentAt).toBeGreaterThanOrEqual(5_000);
	expect(stoppedAt - session.quitDoneAt).toBeLessThanOrEqual(6_500);
	await expectDecidingPolls(stack, id, session);
	await expectPageShown(stack, job, session.quitSentAt - 500);
	return { job, events: await stack.api.events(id) };
}

/** Records while the grid and its browsers are killed, for longer than the idle time, and started again. */
export async function expectRestartSurvived(stack: Stack, start: () => Promise<Grid>): Promise<void> {
	let grid = await start();
	try {
		const id = await recordGrid(stack, grid);
		await browse(grid, 0);
		// Idle already, but not for long enough when the grid is killed.
		await pause(2_000);
		await grid.kill();
		await pause(5_000);
		grid = await start();
		expect((await stack.api.readJob(id)).status).toBe("recording");
		const { quitDoneAt } = await browse(grid, 500);
		const job = await stack.api.waitFor(id, "playable");
		expect(job).toMatchObject({ status: "completed", stopReason: "selenium_idle" });
		expect(Date.parse(job.stoppedAt ?? "") - quitDoneAt).toBeLessThanOrEqual(6_500);
		const types = (await stack.api.events(id)).map(({ type }) => type);
		expect(types).toEqual(expect.arrayContaining(["grid_recognised", "grid_silent", "grid_reachable", "stopped"]));
	} finally {
		await grid.stop();
	}
}

/** The events have the decisive polls: 5 s of zeros, all after the session. */
async function expectDecidingPolls(stack: Stack, id: number, { quitSentAt }: Session): Promise<void> {
	const stopped = (await stack.api.events(id)).find(({ type }) => type === "stopped");
	const polls = stopped?.data?.polls as { at: string; seen: string; active: number }[];
	expect(polls.length).toBeGreaterThan(1);
	expect(polls.every(({ seen, active }) => seen === "count" && active === 0)).toBe(true);
	const times = polls.map(({ at }) => Date.parse(at));
	expect(times[0]).toBeGreaterThanOrEqual(quitSentAt);
	// Reported in whole milliseconds.
	expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(4_999);
}

/** Every frame decodes, and the page fills the display at that time. */
async function expectPageShown(
	stack: Stack,
	job: { startedAt: string | null; recording: { id: number } | null },
	at: number,
): Promise<void> {
	const video = await decodeRecording(stack, job.recording?.id ?? 0);
	try {
		expect(video.complaints).toBe("");
		expect(video.frames).toBeGreaterThan(5 * video.seconds);
		const shown = await video.colorAt((at - Date.parse(job.startedAt ?? "")) / 1_000);
		for (const part of ["red", "green", "blue"] as const) {
			expect(Math.abs(shown[part] - PAGE_COLOR[part])).toBeLessThanOrEqual(COLOR_TOLERANCE);
		}
	} finally {
		await video.remove();
	}
}
