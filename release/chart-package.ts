/** The Helm chart as an archive, as `helm package` would make it, with the same bytes each time. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * @param root the project's folder.
 * @param epoch the time that the archive's files have, in seconds since 1970.
 * @returns the path of the archive.
 */
export async function packChart(root: string, destination: string, version: string, epoch: string): Promise<string> {
	const archive = join(destination, `tapedeck-${version}.tgz`);
	await promisify(execFile)("tar", [
		...["--create", "--use-compress-program=gzip -n", `--file=${archive}`],
		...["--sort=name", `--mtime=@${epoch}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"],
		// The alerts and Grafana's dashboard are links to the files of deploy. Helm finds the chart in a folder of its name.
		...["--dereference", "--transform=s,^chart,tapedeck,", "-C", join(root, "deploy"), "chart"],
	]);
	return archive;
}
