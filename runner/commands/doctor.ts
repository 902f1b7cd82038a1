/** `tapedeck doctor`: checks everything that recording needs. */

import { unknownVariables } from "@tapedeck/client-source/known-variables.ts";
import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { FatalError, type Fault } from "../base/fault.ts";
import { secondsOf } from "../base/length.ts";
import { checkFfmpeg } from "../capture/ffmpeg-check.ts";
import { readConfig, readVideo } from "../config/config.ts";
import { ConfigError, childEnvironment, fromEnvironment, xauthorityFile } from "../config/settings.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import type { ControlStatus } from "../control/messages.ts";
import { AllowedDisplays, displayNotAllowed } from "../displays/allowed-displays.ts";
import { displayIdOf, parseDisplayName } from "../displays/display-name.ts";
import { listDisplays, type OpenDisplay, openOnce } from "../displays/displays.ts";
import { checkDashboard, clockFinding } from "../doctor/check-dashboard.ts";
import { checkBuffer, checkDisk } from "../doctor/check-disk.ts";
import { checkCapture, checkDisplays } from "../doctor/check-displays.ts";
import { type Finding, failure, ok, warning } from "../doctor/finding.ts";
import { AllowedGrids } from "../grid/allowed-grids.ts";
import { type Call, EXIT, type ExitStatus } from "./command.ts";
import { option } from "./define-command.ts";
import { allowedDisplays, DISPLAY_NOTATION, onlyAllowed } from "./display-options.ts";
import { findDataDir } from "./find-runner.ts";
import { runnerCommand } from "./runner-command.ts";

const SETTINGS = ["url", "token", "display", "ffmpeg"] as const;

async function run(call: Call): Promise<ExitStatus> {
	const dataDir = await findDataDir(call);
	const { status, finding } = await askRunner(dataDir);
	const ffmpeg = await checkProgram(call);
	const [displays, dashboard, disk] = await Promise.all([
		checkDisplaysOf(call, status, ffmpeg.level === "ok"),
		checkConnection(call, status),
		checkDisk(dataDir),
	]);
	// The buffer of a running runner already has its space. An invalid length is reported with the configuration.
	const bufferSeconds = status === null ? secondsOf(fromEnvironment(call.env, "buffer") ?? "") : null;
	const buffer = bufferSeconds === null ? [] : [await checkBuffer(dataDir, bufferSeconds)];
	const unknown = unknownVariables(call.env).map(({ name, meant }) =>
		failure(
			"configuration",
			`${name} is not a variable of Tapedeck`,
			meant === null ? "remove it" : `set ${meant} instead`,
		),
	);
	const findings = [
		...unknown,
		finding,
		ffmpeg,
		...displays,
		...checkGrids(call, status),
		...dashboard,
		disk,
		...buffer,
	];
	const failures = findings.filter(({ level }) => level === "failure").length;
	const lines = findings.map(lineOf);
	lines.push(
		failures === 0
			? "Ready to record."
			: `${failures} ${failures === 1 ? "problem has" : "problems have"} to be fixed.`,
	);
	call.print({ ok: failures === 0, findings }, lines.join("\n"));
	return failures === 0 ? EXIT.done : EXIT.failed;
}

const LEVELS: Record<Finding["level"], string> = { ok: "ok", warning: "warning", failure: "FAILURE" };

const lineOf = ({ check, level, message, remedy }: Finding): string =>
	`${LEVELS[level].padEnd(8)} ${check.padEnd(13)} ${message}${remedy === null ? "" : `; ${remedy}`}.`;

async function askRunner(dataDir: string): Promise<{ status: ControlStatus | null; finding: Finding }> {
	try {
		const status = await new ControlClient(dataDir).status();
		return {
			status,
			finding: ok("runner", `Runner "${status.name}" is running, pid ${status.pid}, data in ${dataDir}`),
		};
	} catch (error) {
		if (!(error instanceof ControlError)) throw error;
		const { code, what, remedy } = error.fault;
		return { status: null, finding: code === "absent" ? ok("runner", what) : warning("runner", what, remedy) };
	}
}

/** A setting: its flag, else its variable. */
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
		return failure("ffmpeg", error.fault.what, error.fault.remedy);
	}
}

async function checkDisplaysOf(call: Call, status: ControlStatus | null, canCapture: boolean): Promise<Finding[]> {
	// A running runner has its own DISPLAY and authority; those of this shell count when none is running.
	const text = typeof call.values.display === "string" || status === null ? settingOf(call, "display") : undefined;
	const name = text === undefined ? null : parseDisplayName(text);
	if (text !== undefined && name === null) {
		return [failure("display", `"${text}" is not a display`, `set DISPLAY to ${DISPLAY_NOTATION}`)];
	}
	const xauthority = xauthorityFile(call.env);
	const allowed = status === null ? allowedDisplays(call.env) : AllowedDisplays.of(status.allowed);
	if (typeof allowed === "string") {
		return [failure("display", "TAPEDECK_DISPLAY_ALLOW is invalid", asRemedy(allowed))];
	}
	const list = status ?? (await listDisplays(name, xauthority, allowed));
	const outside = name === null || allowed.has(name) ? null : displayNotAllowed(name);
	const findings = checkDisplays(list, name === null ? null : displayIdOf(name), outside);
	if (allowed.entries !== null) findings.push(ok("display", onlyAllowed(allowed.entries)));
	if (!canCapture) return findings;
	const tried = {
		program: settingOf(call, "ffmpeg") ?? "ffmpeg",
		env: childEnvironment(call.env),
		video: videoFormat(readVideo(call.env)),
	};
	const chosen = list.displays.filter(({ id }) => name === null || id === displayIdOf(name));
	const open = ({ id, xName }: OpenDisplay) => openOnce(id, parseDisplayName(xName), xauthority, allowed);
	return [...findings, ...(await checkCapture(chosen, tried, open))];
}

async function checkConnection(call: Call, status: ControlStatus | null): Promise<Finding[]> {
	const [url, token] = [settingOf(call, "url"), settingOf(call, "token")];
	if (status !== null && (url === undefined || token === undefined)) return ofRunner(status);
	try {
		const flags = SETTINGS.flatMap((name) => {
			const value = settingOf(call, name);
			return value === undefined || name === "display" ? [] : [`--${name}=${value}`];
		});
		// Displays and unknown variables are checked apart.
		const apart = ["DISPLAY", ...unknownVariables(call.env).map(({ name }) => name)];
		const config = readConfig(flags, { ...call.env, ...Object.fromEntries(apart.map((name) => [name, undefined])) });
		return await checkDashboard(config);
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		return error.problems.map(({ setting, message }) =>
			failure("configuration", `${setting} is invalid`, asRemedy(message)),
		);
	}
}

/** An instruction such as "Use a URL." in the form of a remedy. */
const asRemedy = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");

/** The grids that the runner may poll, if its operator restricts them. An invalid list is reported with the configuration. */
function checkGrids({ env }: Call, status: ControlStatus | null): Finding[] {
	const text = fromEnvironment(env, "grid-allow");
	const own = text === undefined ? null : AllowedGrids.parse(text);
	const grids = status === null ? (typeof own === "string" ? null : (own?.entries ?? null)) : status.allowedGrids;
	return grids === null
		? []
		: [ok("grid", `Only ${grids.join(", ")} ${grids.length === 1 ? "is" : "are"} allowed (TAPEDECK_GRID_ALLOW)`)];
}

/** The connection of the running runner, which does not share its token. */
function ofRunner({ dashboard }: ControlStatus): Finding[] {
	if (dashboard.connected) {
		const connected = ok("dashboard", `The runner is connected to ${dashboard.url} as runner ${dashboard.runnerId}`);
		return [connected, ...(dashboard.clockAheadMs === null ? [] : [clockFinding(dashboard.clockAheadMs)])];
	}
	const connecting = {
		what: `The runner is connecting to ${dashboard.url}`,
		remedy: "wait a moment, then see its log",
	};
	const { what, remedy }: Omit<Fault, "code"> = dashboard.problem ?? connecting;
	return [failure("dashboard", what, remedy)];
}

export const command = runnerCommand({
	usage: "tapedeck doctor",
	about: `Checks everything that recording needs, and says how to fix what is wrong: ffmpeg and its features, the displays and
whether they can be captured, the dashboard, the runner token, the clock, and the disk. Changes nothing and does not sign
in, so it is safe to call while the runner is recording. It reads the same variables as the runner; without TAPEDECK_URL
and TAPEDECK_TOKEN it asks the running runner about its connection to the dashboard.`,
	options: [
		option("--url <url>", "the dashboard's base URL (TAPEDECK_URL)"),
		option("--token <token>", "the runner token (TAPEDECK_TOKEN)"),
		option("--display <display>", "a display that has to exist (DISPLAY)"),
		option("--ffmpeg <program>", "another ffmpeg than the one on the path (TAPEDECK_FFMPEG)"),
	],
	exit: "Here, 1 means that something has to be fixed; warnings do not count.",
	run,
});
