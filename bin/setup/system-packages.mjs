/** Programs of the operating system: installed with apt where allowed, otherwise named in the message. */
import { Remedy } from "./remedy.mjs";
import { findProgram, lastLines, run, say, succeeds } from "./run.mjs";

const SERVER_PATH = `${process.env.PATH ?? ""}:/usr/sbin`;

/** Programs and their Debian packages. `ifAllowed`: installed with the others, but not required. */
export const forUp = [
	{ program: "ffmpeg", package: "ffmpeg" },
	{ program: "ffplay", package: "ffmpeg" },
	{ program: "Xvfb", package: "xvfb" },
	{ program: "curl", package: "curl", ifAllowed: true },
];
export const forTests = [
	...forUp,
	{ program: "ffprobe", package: "ffmpeg" },
	{ program: "chromium", package: "chromium" },
	{ program: "chromium-headless-shell", package: "chromium-headless-shell" },
	{ program: "chromedriver", package: "chromium-driver" },
	{ program: "xdpyinfo", package: "x11-utils" },
	{ program: "xrandr", package: "x11-xserver-utils" },
	{ program: "faketime", package: "faketime" },
	{ program: "java", package: "default-jre-headless" },
	// Debian installs servers outside of an ordinary user's PATH.
	{ program: "nginx", package: "nginx-light", missing: () => findProgram("nginx", SERVER_PATH) === null },
	{ program: "haproxy", package: "haproxy", missing: () => findProgram("haproxy", SERVER_PATH) === null },
	{ program: "pgbouncer", package: "pgbouncer", missing: () => findProgram("pgbouncer", SERVER_PATH) === null },
	{ program: "openssl", package: "openssl" },
	{ program: "promtool", package: "prometheus" },
	{ program: "wget", package: "wget" },
	{ program: "zsh", package: "zsh" },
	{ program: "fish", package: "fish" },
];
export const forExploreTests = [
	...forTests,
	{ program: "mvn", package: "maven" },
	{ program: "go", package: "golang-go" },
	{ program: "gotestsum", package: "gotestsum" },
	{ program: "phpunit", package: "phpunit" },
	{ program: "python3", package: "python3" },
	{
		program: "python3",
		package: "python3-venv",
		missing: () => !succeeds("python3", ["-m", "ensurepip", "--version"]),
	},
];

const isMissing = (need) => (need.missing ? need.missing() : findProgram(need.program) === null);
const packagesOf = (needs) => [...new Set(needs.map((need) => need.package))];

/** The command before apt-get: none as root, sudo where it needs no password; null when apt cannot be used. */
function aptPrefix() {
	if (findProgram("apt-get") === null) return null;
	if (process.getuid?.() === 0) return [];
	return findProgram("sudo") !== null && succeeds("sudo", ["-n", "true"]) ? ["sudo", "-n"] : null;
}

/** Installs missing programs, or only names them. @throws Remedy with the exact packages to install. */
export async function ensurePrograms(needs, { installs = true } = {}) {
	const missing = needs.filter(isMissing);
	if (missing.every((need) => need.ifAllowed)) return;
	const packages = packagesOf(missing);
	const prefix = installs ? aptPrefix() : null;
	if (prefix !== null) {
		say(`Installing system packages: ${packages.join(", ")} …`);
		await installByApt(prefix, packages);
	}
	const still = missing.filter((need) => !need.ifAllowed && isMissing(need));
	if (still.length === 0) return;
	const programs = [...new Set(still.map((need) => need.program))].join(", ");
	const remedy =
		findProgram("apt-get") === null
			? `Install ${programs} with this system's package manager`
			: `Run: sudo apt-get install --yes ${packagesOf(still).join(" ")}`;
	throw new Remedy(`Missing on this machine: ${programs}. ${remedy}, then start again.`);
}

async function installByApt(prefix, packages) {
	const apt = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=120"];
	// An old package list refers to files that no longer exist.
	await run(apt[0], [...apt.slice(1), "update"], { quiet: true });
	const install = [...apt.slice(1), "install", "--yes", "--no-install-recommends", ...packages];
	const { code, output } = await run(apt[0], install, { quiet: true });
	if (code !== 0) say(`apt-get could not install them:\n${lastLines(output, 5)}`);
}
