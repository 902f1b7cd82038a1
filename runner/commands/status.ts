/** `tapedeck status`: the runner's connection, its recordings, and what is waiting in the spool. */

import { messageOf } from "../base/fault.ts";
import { pause } from "../base/wait.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import type { ControlStatus } from "../control/messages.ts";
import { type Call, EXIT, type ExitStatus } from "./command.ts";
import { option } from "./define-command.ts";
import { displayFlag, refusalJson } from "./display-options.ts";
import { asCommandError, findDataDir } from "./find-runner.ts";
import { describeRecording, formatSize } from "./format.ts";
import { runnerCommand } from "./runner-command.ts";

const WAIT_SECONDS = 60;
const POLL_MS = 250;

async function run(call: Call): Promise<ExitStatus> {
	const { display, wait } = call.values;
	const displayId = typeof display === "string" ? displayFlag(display) : null;
	if (wait === true) await waitUntilReady(call, displayId);
	const client = new ControlClient(await findDataDir(call));
	try {
		const status = await client.status();
		const waitingBytes = status.recordings.reduce((sum, recording) => sum + recording.waitingBytes, 0);
		call.print({ running: true, ...statusJson(status), waitingBytes }, describe(status, waitingBytes));
		if (displayId !== null && !hasDisplay(status, displayId))
			call.remark(`The runner does not have display ${displayId}.`);
		return isReady(status, displayId) ? EXIT.done : EXIT.failed;
	} catch (error) {
		const failure = asCommandError(error);
		if (!(error instanceof ControlError) || error.code !== "absent") throw failure;
		const { undelivered, describeUndelivered } = await import("./undelivered.ts");
		const recordings = await undelivered(client.dataDir);
		const { message } = failure as Error;
		const text = `${message}\n${describeUndelivered(recordings)}`;
		call.print({ running: false, dataDir: client.dataDir, recordings }, text);
		return EXIT.noRunner;
	}
}

/** Resolves when the runner is ready, or after WAIT_SECONDS. */
async function waitUntilReady(call: Call, displayId: string | null): Promise<void> {
	const deadline = performance.now() + WAIT_SECONDS * 1_000;
	for (let isFirst = true; performance.now() < deadline; isFirst = false) {
		const client = new ControlClient(await findDataDir(call));
		const status = await client.status().catch((error) => {
			if (error instanceof ControlError && ["absent", "silent"].includes(error.code)) return null;
			throw asCommandError(error);
		});
		if (status !== null && isReady(status, displayId)) return;
		if (isFirst) call.remark(`Waiting for the runner, up to ${WAIT_SECONDS} s.`);
		await pause(POLL_MS);
	}
}

const hasDisplay = ({ displays }: ControlStatus, displayId: string): boolean =>
	displays.some(({ id }) => id === displayId);

const isReady = (status: ControlStatus, displayId: string | null): boolean =>
	status.dashboard.connected && (displayId === null || hasDisplay(status, displayId));

/** The status with messages instead of faults. */
function statusJson(status: ControlStatus): object {
	const { dashboard, refused } = status;
	const problem = dashboard.problem === null ? null : messageOf(dashboard.problem);
	return { ...status, dashboard: { ...dashboard, problem }, refused: refused.map(refusalJson) };
}

function describe(status: ControlStatus, waitingBytes: number): string {
	const { dashboard, displays, virtualDisplays, refused, recordings, freeBytes } = status;
	const connected = dashboard.connected
		? `Connected to ${dashboard.url} as runner ${dashboard.runnerId}.`
		: dashboard.problem === null
			? `Connecting to ${dashboard.url}.`
			: messageOf(dashboard.problem);
	const free = freeBytes === null ? "" : ` ${formatSize(freeBytes)} free.`;
	return [
		`Runner "${status.name}", pid ${status.pid}, version ${status.version}, data in ${status.dataDir}.`,
		...(status.ending ? ["It is stopping: it uploads its recordings and starts no new ones."] : []),
		connected,
		displays.length === 0
			? "No display found; start one, such as Xvfb :99."
			: `Displays: ${displays.map(({ id, width, height }) => `${id} ${width}x${height}`).join(", ")}.`,
		...refused.map(messageOf),
		...(virtualDisplays.maximum === 0 ? [] : [describeVirtual(virtualDisplays)]),
		...(status.setAside.length === 0 ? [] : [describeKept(status.setAside.length)]),
		...(recordings.length === 0 ? ["Nothing is being recorded."] : recordings.map(describeRecording)),
		waitingBytes === 0 ? `Everything is uploaded.${free}` : `${formatSize(waitingBytes)} waiting in the spool.${free}`,
	].join("\n");
}

const describeVirtual = ({ maximum, used, lent }: ControlStatus["virtualDisplays"]): string =>
	`Virtual displays: ${used} of ${maximum} in use${lent === 0 ? "" : `, ${lent} by programs of this machine`}.`;

const describeKept = (count: number): string =>
	`${count === 1 ? "1 recording is" : `${count} recordings are`} kept for another dashboard; see "tapedeck spool list".`;

export const command = runnerCommand({
	usage: "tapedeck status [--wait] [--display :99]",
	about: `Shows the status of the runner on this machine: its connection to the dashboard, its displays, its recordings and what is
not uploaded yet. If none is running, shows what is waiting in the spool and which ffmpegs are still recording.`,
	options: [
		option("--wait", `wait until the runner is connected, for ${WAIT_SECONDS} s at most`),
		option("--display <display>", "also require this display, such as :99"),
	],
	exit: `Here, 0 means that the runner is running, is connected and has the display; 1, that it is not connected or lacks the
display; 3, that none is running.`,
	run,
});
