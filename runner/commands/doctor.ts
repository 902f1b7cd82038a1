/** `tapedeck doctor`: checks everything that recording needs. */
import { AllowedDisplays, displayNotAllowed } from "../displays/allowed-displays.ts";
import { readConfig } from "../config/config.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import type { ControlStatus } from "../control/messages.ts";
import { displayIdOf, parseDisplayName } from "../displays/display-name.ts";
import { checkDashboard, clockFinding } from "../doctor/check-dashboard.ts";
import { checkDisk } from "../doctor/check-disk.ts";
import { checkCapture, checkDisplays } from "../doctor/check-displays.ts";
import { type Finding, failure, ok, warning } from "../doctor/finding.ts";
import { checkFfmpeg } from "../capture/ffmpeg-check.ts";
import { AllowedGrids } from "../grid/allowed-grids.ts";
import { FatalError } from "../log.ts";
import { lookAtDisplays, type SeenDisplay } from "../seen-displays.ts";
import { ConfigError, childEnvironment, fromEnvironment, xauthorityFile } from "../config/settings.ts";
import { allowedDisplaysOf, onlyThese } from "./allowed-displays-of.ts";
import { type Call, type Command, EXIT, EXIT_HELP, type ExitStatus, PLACE_HELP, PLACE_OPTIONS } from "./command.ts";
import { findDataDir } from "./find-runner.ts";

const help = `usage: tapedeck doctor

Checks what recording needs, and says how to mend what is not well: ffmpeg and its abilities, the displays and whether
they can be captured, the dashboard, the runner token, the clock, the disk. Changes nothing and signs nobody in, so that
it can be called while the runner records. It reads the same variables as the runner does; without TAPEDECK_URL and
TAPEDECK_TOKEN it asks the running runner how it stands with the dashboard.

  --url <url>             the dashboard's base URL (TAPEDECK_URL)
  --token <token>         the runner token (TAPEDECK_TOKEN)
  --display <display>     a display that has to be there (DISPLAY)
  --ffmpeg <program>      another ffmpeg than the one on the path (TAPEDECK_FFMPEG)
${PLACE_HELP}

${EXIT_HELP}
Here 1 says that something has to be mended; warnings do not count.
`;

const SETTINGS = ["url", "token", "display", "ffmpeg"] as const;

async function run(call: Call): Promise<ExitStatus> {
	const dataDir = await findDataDir(call);
	const { status, finding } = await askRunner(dataDir);
	const ffmpeg = await checkProgram(call);
	const [displays, dashboard, disk] = await Promise.all([
		checkScreens(call, status, ffmpeg.level === "ok"),
		checkConnection(call, status),
		checkDisk(dataDir),
	]);
	const findings = [finding, ffmpeg, ...displays, ...checkGrids(call, status), ...dashboard, disk];
	const failures = findings.filter(({ level }) => level === "failure").length;
	const lines = findings.map(lineOf);
	lines.push(
		failures === 0
			? "Recording can begin."
			: `${failures} ${failures === 1 ? "thing has" : "things have"} to be mended.`,
	);
	call.tell({ ok: failures === 0, findings }, lines.join("\n"));
	return failures === 0 ? EXIT.done : EXIT.failed;
}

const LEVELS: Record<Finding["level"], string> = { ok: "ok", warning: "warning", failure: "FAILURE" };

const lineOf = ({ check, level, message, remedy }: Finding): string =>
	`${LEVELS[level].padEnd(8)} ${check.padEnd(13)} ${message}${remedy === null ? "" : `; ${remedy}`}.`;

async function askRunner(dataDir: string): Promise<{ status: ControlStatus | null; finding: Finding }> {
	try {
		const status = await new ControlClient(dataDir).status();
		return { status, finding: ok("runner", `Runner "${status.name}" runs, pid ${status.pid}, data in ${dataDir}`) };
	} catch (error) {
		if (!(error instanceof ControlError)) throw error;
		if (error.code === "absent") return { status: null, finding: ok("runner", error.message.replace(/\.$/, "")) };
		const [what = "", remedy = "see its log"] = error.message.replace(/\.$/, "").split("; ");
		return { status: null, finding: warning("runner", what, remedy) };
	}
}

/** A setting of the call: its flag, else its variable. */
function settingOf({ values, env }: Call, name: (typeof SETTINGS)[number]): string | undefined {
	const flag = values[name];
	return typeof flag === "string" ? flag : fromEnvironment(env, name);
}

async function checkProgram(call: Call): Promise<Finding> {
	const program = settingOf(call, "ffmpeg") ?? "ffmpeg";
	try {
		const version = await checkFfmpeg(program, childEnvironment(call.env));
		return ok("ffmpeg", `${version.split(" Copyright")[0]}, with x11grab and libx264`);
	} catch (error) {
		if (!(error instanceof FatalError)) throw error;
		const [what = "", remedy = ""] = error.message.replace(/\.$/, "").split("; ");
		return failure("ffmpeg", what, remedy);
	}
}

async function checkScreens(call: Call, status: ControlStatus | null, canCapture: boolean): Promise<Finding[]> {
	// A running runner has its own DISPLAY and authority; what this shell says counts when none runs.
	const text = typeof call.values.display === "string" || status === null ? settingOf(call, "display") : undefined;
	const name = text === undefined ? null : parseDisplayName(text);
	if (text !== undefined && name === null) {
		return [failure("display", `"${text}" is no display`, "set DISPLAY to :99, :99.0 or <host>:<number>")];
	}
	const xauthority = xauthorityFile(call.env);
	const allowed = status === null ? allowedDisplaysOf(call.env) : AllowedDisplays.of(status.allowed);
	if (typeof allowed === "string") {
		return [failure("display", "TAPEDECK_DISPLAY_ALLOW is not as it should be", inRemedy(allowed))];
	}
	const seen = status ?? (await lookAtDisplays(name, xauthority, allowed));
	const outside = name === null || allowed.has(name) ? null : displayNotAllowed(name);
	const findings = checkDisplays(seen, name === null ? null : displayIdOf(name), outside);
	if (allowed.words !== null) findings.push(ok("display", onlyThese(allowed.words)));
	if (!canCapture) return findings;
	const ffmpeg = { program: settingOf(call, "ffmpeg") ?? "ffmpeg", env: childEnvironment(call.env) };
	const chosen = seen.displays.filter(({ id }) => name === null || id === displayIdOf(name));
	const isThere = async ({ id, xName }: SeenDisplay) => {
		const again = await lookAtDisplays(parseDisplayName(xName), xauthority, allowed);
		return again.displays.some((display) => display.id === id);
	};
	return [...findings, ...(await checkCapture(chosen, ffmpeg, isThere))];
}

async function checkConnection(call: Call, status: ControlStatus | null): Promise<Finding[]> {
	const [url, token] = [settingOf(call, "url"), settingOf(call, "token")];
	if (status !== null && (url === undefined || token === undefined)) return ofRunner(status);
	try {
		const flags = SETTINGS.flatMap((name) => {
			const value = settingOf(call, name);
			return value === undefined || name === "display" ? [] : [`--${name}=${value}`];
		});
		// The display is judged with the displays.
		const config = readConfig(flags, { ...call.env, DISPLAY: undefined });
		return await checkDashboard(config);
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		return error.problems.map((problem) => {
			const [variable = "", ...words] = problem.split(": ");
			return failure("configuration", `${variable} is not as it should be`, inRemedy(words.join(": ")));
		});
	}
}

/** A problem's words as they stand behind "; ". */
const inRemedy = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1).replace(/\.$/, "");

/** The grids that the runner may ask, where its operator restricts them. A list that is wrong is told with the rest. */
function checkGrids({ env }: Call, status: ControlStatus | null): Finding[] {
	const text = fromEnvironment(env, "grid-allow");
	const own = text === undefined ? null : AllowedGrids.parse(text);
	const words = status === null ? (typeof own === "string" ? null : (own?.words ?? null)) : status.allowedGrids;
	return words === null ? [] : [ok("grid", `Only ${words.join(", ")} may be asked (TAPEDECK_GRID_ALLOW)`)];
}

/** How the running runner stands with the dashboard: it keeps the token to itself. */
function ofRunner({ dashboard }: ControlStatus): Finding[] {
	if (dashboard.connected) {
		const connected = ok("dashboard", `The runner is connected to ${dashboard.url} as runner ${dashboard.runnerId}`);
		return [connected, ...(dashboard.clockAheadMs === null ? [] : [clockFinding(dashboard.clockAheadMs)])];
	}
	const words = dashboard.problem ?? `The runner is connecting to ${dashboard.url}; wait a moment, then see its log.`;
	const [what = "", ...remedy] = words.replace(/\.$/, "").split("; ");
	return [failure("dashboard", what, remedy.join("; "))];
}

export const command: Command = {
	help,
	options: {
		url: { type: "string" },
		token: { type: "string" },
		display: { type: "string" },
		ffmpeg: { type: "string" },
		...PLACE_OPTIONS,
	},
	maxWords: 0,
	run,
};
