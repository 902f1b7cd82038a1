import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JobRun } from "../run-job.ts";
import { ControlService, type ControlTools } from "./control-service.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A service whose runner has one recording that has ended, and is not uploaded. */
function withLeftover(connection: { connected: boolean }, isSetAside = false) {
	const manifest = { displayId: ":1", owner: null, settled: true };
	const run = { spool: { folder: "/spool/jobs/one", manifest, resultIds: new Map() }, isSetAside };
	const leave = vi.fn();
	const tools = {
		connection: { state: connection },
		displays: { offer: () => () => undefined },
		leave,
	};
	const service = new ControlService(tools as unknown as ControlTools);
	service.add({
		...run,
		finished: new Promise(() => undefined),
		isDiscarded: false,
		endWithoutOwner: () => undefined,
	} as unknown as JobRun);
	return { service, leave };
}

test("a runner asked to leave stays while what an earlier one left can be uploaded, for a minute at most", async () => {
	const { service, leave } = withLeftover({ connected: true });
	service.leaveWhenIdle();
	await vi.advanceTimersByTimeAsync(55_000);
	expect(leave).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(6_000);
	expect(leave).toHaveBeenCalled();
});

test.each([
	["the dashboard cannot be reached", { connected: false }, false],
	["what is left is another dashboard's", { connected: true }, true],
])("a runner asked to leave leaves at once when %s", (_, connection, isSetAside) => {
	const { service, leave } = withLeftover(connection, isSetAside);
	service.leaveWhenIdle();
	expect(leave).toHaveBeenCalledOnce();
});
