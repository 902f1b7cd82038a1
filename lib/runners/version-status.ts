/** How a runner's version compares with the dashboard's. */
import type { VersionStatus } from "@tapedeck/contract/runner.ts";
import { compareReleases, VERSION } from "@tapedeck/contract/version.ts";
import type { RunnerDownloads } from "./install/runner-downloads.ts";

/**
 * Versions are ordered; builds of one version can only be distinguished. A runner without a build (from a clone or an
 * image) is compared by its version alone, and only one with a build makes the dashboard build its own package.
 *
 * @param version a semantic version, with the build as its metadata: `0.2.0+3f2a9c1b70de`.
 */
export async function versionStatus(version: string, downloads: RunnerDownloads): Promise<VersionStatus> {
	const [release = "", build] = version.split("+");
	if (release === VERSION) {
		return build === undefined || version === (await downloads.runnerVersion()) ? "current" : "different";
	}
	const order = compareReleases(release, VERSION);
	if (order === null || order === 0) return "different";
	return order < 0 ? "older" : "newer";
}
