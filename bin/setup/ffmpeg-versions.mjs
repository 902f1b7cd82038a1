/**
 * Other versions of ffmpeg than this machine's, for tests. Those of Debian releases run with the libraries and the loader
 * of their release. Versions in between come from Maven Central.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Remedy } from "./remedy.mjs";
import { lastLines, root, run, say } from "./run.mjs";
import { ensurePrograms } from "./system-packages.mjs";

const PLUGIN_VERSION = "3.8.1";

/** The source of each version. `sid` is the newest one in Debian. */
const SOURCES = {
	5.1: { release: "bookworm" },
	// This build of 6.1 has no `drawtext`, which writes on cuts. Debian's builds of other versions have it.
	6.1: { artifact: "6.1.1-1.5.10", lacksFor: ["lib/recordings/excerpts/make-cut.test.ts"] },
	7.1: { release: "trixie" },
	"8.0": { artifact: "8.0.1-1.5.13" },
	sid: { release: "sid" },
};
export const FFMPEG_VERSIONS = Object.keys(SOURCES);

/** @returns {string[]} the test files that need what this build of the version lacks. */
export const lacksFor = (version) => SOURCES[version]?.lacksFor ?? [];

const PROGRAMS = ["ffmpeg", "ffprobe"];

/**
 * Installs a version once, into `.cache`.
 * @param version one of FFMPEG_VERSIONS.
 * @returns the folder with its ffmpeg and ffprobe, for TAPEDECK_TEST_FFMPEG.
 * @throws Remedy if it cannot be installed, or does not run here.
 */
export async function ensureFfmpeg(version) {
	const source = SOURCES[version];
	if (source === undefined) {
		throw new Remedy(`There is no ffmpeg ${version} for tests. Use one of ${FFMPEG_VERSIONS.join(", ")}.`);
	}
	const folder = join(root, ".cache", `ffmpeg-${version}`);
	const bin = join(folder, "bin");
	const done = join(folder, ".complete");
	if (existsSync(done)) return bin;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(bin, { recursive: true });
	if (source.release === undefined) await unpackArtifact(source.artifact, folder, bin);
	else await wrapRelease(source.release, bin);
	for (const program of PROGRAMS) await checkVersion(join(bin, program), version);
	writeFileSync(done, "");
	return bin;
}

/**
 * Installs a Debian release once, into `.cache`: the packages that its official image has, and ffmpeg as our images have it.
 * @returns the folder with its root file system.
 * @throws Remedy if it cannot be installed.
 */
export function ensureDebian(release) {
	const ensured = debians.get(release) ?? installDebian(release);
	debians.set(release, ensured);
	return ensured;
}

/** Two images may need a release at the same time. */
const debians = new Map();

async function installDebian(release) {
	const folder = join(root, ".cache", `debian-${release}`);
	const system = join(folder, "root");
	const done = join(folder, ".complete");
	if (existsSync(done)) return system;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await ensurePrograms([{ program: "mmdebstrap", package: "mmdebstrap" }]);
	say(`Installing Debian ${release} with ffmpeg, for tests …`);
	const { code, output } = await run(
		"mmdebstrap",
		[
			"--variant=minbase",
			"--include=ffmpeg",
			// As in our images, the drivers that ffmpeg's packages depend on are left out.
			...["libLLVM*", "libgallium*", "libz3*", "dri/*"].map((files) => `--dpkgopt=path-exclude=/usr/lib/*/${files}`),
			// A mirror's copy of sid can be older than its lists are valid.
			'--aptopt=Acquire::Check-Valid-Until "false"',
			'--aptopt=Acquire::Retries "3"',
			...[release, system],
		],
		{ quiet: true },
	);
	if (code !== 0) {
		throw new Remedy(`Debian ${release} with ffmpeg could not be installed. Check the network:\n${lastLines(output)}`);
	}
	writeFileSync(done, "");
	return system;
}

async function wrapRelease(release, bin) {
	const system = await ensureDebian(release);
	const folders = ["lib", "usr/lib"].flatMap((name) => subfolders(join(system, name), /-linux-gnu$/));
	const libraries = [...folders, ...folders.flatMap((one) => subfolders(one, /^(blas|lapack|pulseaudio)$/))];
	const loader = folders.flatMap((one) =>
		readdirSync(one).flatMap((name) => (LOADER.test(name) ? [join(one, name)] : [])),
	);
	if (loader[0] === undefined) throw new Remedy(`The packages of Debian ${release} have no loader of programs.`);
	for (const program of PROGRAMS) {
		const words = [loader[0], "--library-path", libraries.join(":"), join(system, "usr/bin", program)];
		// `exec`: the process that a runner starts, watches and ends is ffmpeg itself.
		writeFileSync(join(bin, program), `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(" ")} "$@"\n`);
		chmodSync(join(bin, program), 0o755);
	}
}

const LOADER = /^ld-linux[\w-]*\.so\.\d$/;

const subfolders = (folder, pattern) =>
	existsSync(folder)
		? readdirSync(folder, { withFileTypes: true })
				.filter((entry) => entry.isDirectory() && pattern.test(entry.name))
				.map(({ name }) => join(folder, name))
		: [];

/** JavaCPP's build, which has x11grab and libx264. Its programs find their libraries in the same folder. */
async function unpackArtifact(artifact, folder, bin) {
	await ensurePrograms([{ program: "mvn", package: "maven" }]);
	say(`Downloading ffmpeg ${artifact} from Maven Central …`);
	const platform = `linux-${process.arch === "arm64" ? "arm64" : "x86_64"}-gpl`;
	const goal = [
		`org.apache.maven.plugins:maven-dependency-plugin:${PLUGIN_VERSION}:unpack`,
		`-Dartifact=org.bytedeco:ffmpeg:${artifact}:jar:${platform}`,
		`-Dmdep.unpack.includes=org/bytedeco/ffmpeg/**`,
		`-DoutputDirectory=${join(folder, "jar")}`,
	];
	const { code, output } = await run("mvn", ["-B", "-q", ...goal], { quiet: true, cwd: folder });
	if (code !== 0)
		throw new Remedy(`Maven could not download ffmpeg ${artifact}. Check the network:\n${lastLines(output)}`);
	const unpacked = join(folder, "jar", "org", "bytedeco", "ffmpeg", platform);
	for (const program of PROGRAMS) {
		chmodSync(join(unpacked, program), 0o755);
		writeFileSync(join(bin, program), `#!/bin/sh\nexec '${join(unpacked, program)}' "$@"\n`);
		chmodSync(join(bin, program), 0o755);
	}
}

async function checkVersion(program, version) {
	const { code, output } = await run(program, ["-version"], { quiet: true });
	const [, found] = /^ff\w+ version n?(\S+)/m.exec(output) ?? [];
	if (code !== 0 || found === undefined) throw new Remedy(`${program} does not run here:\n${lastLines(output)}`);
	if (/^\d/.test(version) && !found.startsWith(`${version}.`) && found !== version) {
		throw new Remedy(`${program} is of version ${found} instead of ${version}.`);
	}
}
