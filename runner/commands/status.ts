/** `tapedeck status`: is the runner connected, what runs, what waits in the spool. */
import { ControlClient, ControlError } from "../control/control-client.ts";
import type { ControlStatus } from "../control/messages.ts";
import { pause } from "../base/wait.ts";
import { type Call, type Command, EXIT, EXIT_HELP, type ExitStatus, PLACE_HELP, PLACE_OPTIONS } from "./command.ts";
import { displayFlag } from "./display-flag.ts";
import { findDataDir, inWords } from "./find-runner.ts";
import { lineOf, sizeInWords } from "./in-words.ts";

const WAIT_SECONDS = 60;
const POLL_MS = 250;

const help = `usage: tapedeck status [--wait] [--display :99]

Says how the runner on this machine fares: whether it is connected to the dashboard, its displays, what it records and
what is not delivered yet. When none runs, says what waits in the spool and which ffmpegs record on.

  --wait                  wait until the runner is connected, for ${WAIT_SECONDS} s at most
  --display <display>     a display that the runner has to have as well, such as :99
${PLACE_HELP}

${EXIT_HELP}
Here 0 says that the runner runs, is connected and has the display, 1 that it runs and is or has not, 3 that none runs.
`;

async function run(call: Call): Promise<ExitStatus> {
	const { display, wait } = call.values;
	const displayId = typeof display === "string" ? displayFlag(display) : null;
	if (wait === true) await waitUntilReady(call, displayId);
	const client = new ControlClient(await findDataDir(call));
	try {
		const status = await client.status();
		const waitingBytes = status.recordings.reduce((sum, recording) => sum + recording.waitingBytes, 0);
		call.tell({ running: true, ...status, waitingBytes }, inLines(status, waitingBytes));
		if (displayId !== null && !hasDisplay(status, displayId)) call.remark(`It does not have display ${displayId}.`);
		return isReady(status, displayId) ? EXIT.done : EXIT.failed;
	} catch (error) {
		const words = inWords(error);
		if (!(error instanceof ControlError) || error.code !== "absent") throw words;
		const { leftBehind, leftInWords } = await import("./undelivered.ts");
		const recordings = await leftBehind(client.dataDir);
		const { message } = words as Error;
		call.tell({ running: false, dataDir: client.dataDir, recordings }, `${message}\n${leftInWords(recordings)}`);
		return EXIT.noRunner;
	}
}

/** Comes back when the runner is ready, and when that takes too long. */
async function waitUntilReady(call: Call, displayId: string | null): Promise<void> {
	const deadline = performance.now() + WAIT_SECONDS * 1_000;
	for (let isFirst = true; performance.now() < deadline; isFirst = false) {
		const client = new ControlClient(await findDataDir(call));
		const status = await client.status().catch((error) => {
			if (error instanceof ControlError && ["absent", "silent"].includes(error.code)) return null;
			throw inWords(error);
		});
		if (status !== null && isReady(status, displayId)) return;
		if (isFirst) call.remark(`Waiting for the runner, for ${WAIT_SECONDS} s at most.`);
		await pause(POLL_MS);
	}
}

const hasDisplay = ({ displays }: ControlStatus, displayId: string): boolean =>
	displays.some(({ id }) => id === displayId);

const isReady = (status: ControlStatus, displayId: string | null): boolean =>
	status.dashboard.connected && (displayId === null || hasDisplay(status, displayId));

function inLines(status: ControlStatus, waitingBytes: number): string {
	const { dashboard, displays, refused, recordings, freeBytes } = status;
	const connected = dashboard.connected
		? `Connected to ${dashboard.url} as runner ${dashboard.runnerId}.`
		: (dashboard.problem ?? `Connecting to ${dashboard.url}.`);
	const free = freeBytes === null ? "" : ` ${sizeInWords(freeBytes)} are free.`;
	return [
		`Runner "${status.name}", pid ${status.pid}, version ${status.version}, data in ${status.dataDir}.`,
		...(status.ending ? ["It is ending: it delivers what it has and begins nothing more."] : []),
		connected,
		displays.length === 0
			? "It has no display; start one, such as Xvfb :99."
			: `Displays: ${displays.map(({ id, width, height }) => `${id} ${width}x${height}`).join(", ")}.`,
		...refused.map(({ problem }) => problem),
		...(status.setAside.length === 0 ? [] : [keptInWords(status.setAside.length)]),
		...(recordings.length === 0 ? ["Nothing is recorded."] : recordings.map(lineOf)),
		waitingBytes === 0 ? `Everything is delivered.${free}` : `${sizeInWords(waitingBytes)} wait in the spool.${free}`,
	].join("\n");
}

const keptInWords = (count: number): string =>
	`${count === 1 ? "1 recording is" : `${count} recordings are`} kept for another dashboard; see "tapedeck spool list".`;

export const command: Command = {
	help,
	options: { wait: { type: "boolean" }, display: { type: "string" }, ...PLACE_OPTIONS },
	maxWords: 0,
	run,
};
