/** The Helm chart as an archive, as `helm package` would make it, with the same bytes each time. */
import { join } from "node:path";
import { writeArchive } from "./write-archive.ts";

/**
 * @param root the project's folder.
 * @param epoch the time that the archive's files have, in seconds since 1970.
 * @returns the path of the archive.
 */
export async function packChart(root: string, destination: string, version: string, epoch: string): Promise<string> {
	const archive = join(destination, `tapedeck-${version}.tgz`);
	// The alerts and Grafana's dashboard are links to the files of deploy. Helm finds the chart in a folder of its name.
	const words = ["--dereference", "--transform=s,^chart,tapedeck,", "-C", join(root, "deploy"), "chart"];
	return writeArchive(archive, epoch, ["--use-compress-program=gzip -n", ...words]);
}
