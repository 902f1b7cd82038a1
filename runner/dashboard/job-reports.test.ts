import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { atCurrentClock, bootMs } from "../base/clock.ts";
import type { RunnerLog } from "../base/log.ts";
import { Spool } from "../spool/spool.ts";
import { JobReports } from "./job-reports.ts";
import type { Reporter } from "./reporter.ts";

const HOUR_MS = 3_600_000;

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder("reports");
});
afterEach(async () => {
	vi.restoreAllMocks();
});

test("a clock that is set while the end is reported moves no reported time", async () => {
	const order = { id: 7, key: "key-of-job-7", origin: "dashboard", displayId: ":7", name: "x" } as const;
	const rule = { stopCondition: "interrupt", stopConditionConfig: {} } as const;
	const identity = { id: "a dashboard's id", url: "http://localhost", organizationId: 1 };
	const spool = await new Spool(folder).create({ ...order, ...rule }, identity);
	const real = Date.now.bind(Date);
	// The log line is written before the report: the clock is set between the two.
	const info = () => void vi.spyOn(Date, "now").mockImplementation(() => real() + HOUR_MS);
	const log = { info } as unknown as RunnerLog;
	const reports = new JobReports({ log, reporter: { kick: () => {} } as Reporter }, spool);
	const endedAt = bootMs();
	const endedAtByNewClock = real() + HOUR_MS;
	await reports.stopped({ reason: "duration_elapsed" }, { endedAt, seconds: 4, verdict: null });
	const [report] = spool.manifest.outbox;
	if (report === undefined) throw new Error("Nothing was reported.");
	expect(Math.abs(Date.parse(atCurrentClock(report.at, report)) - endedAtByNewClock)).toBeLessThan(500);
});
