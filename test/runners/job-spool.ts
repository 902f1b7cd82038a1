/** The spool of one job, for tests of what records into it. */
import { beforeEach } from "vitest";
import { type JobSpool, type Part, Spool } from "#runner/spool/spool.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Creates a job's spool in a new data directory before every test. @returns the spool of the current test. */
export function jobSpool(): () => JobSpool {
	let dataDir: string;
	let spool: JobSpool;
	beforeEach(async () => {
		dataDir = await temporaryFolder("spool");
		const rule = { stopCondition: "interrupt", stopConditionConfig: {} } as const;
		const order = {
			id: 1,
			key: "key-of-job-1",
			origin: "dashboard",
			displayId: ":7",
			name: "a test",
			...rule,
		} as const;
		spool = await new Spool(dataDir).create(order, { id: null, url: "http://localhost", organizationId: null });
	});
	return () => spool;
}

/** A part without a frame yet, of a display of 64×48 pixels. */
export const newPart = (part: number): Part => ({
	...{ part, firstFrameAt: null, startFrames: 0, endFrames: null, reported: true },
	clock: { boot: "another boot", wallAtBootMs: 0 },
	...{ x: 0, y: 0, width: 64, height: 48, xName: ":7.0", isPrivate: false },
});
