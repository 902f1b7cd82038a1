/** The script that installs a runner of this version from this dashboard. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shellQuoted } from "@tapedeck/contract/shell.ts";
import { type RunnerDownloads, rootFolder } from "./runner-downloads.ts";

/** @param baseUrl where people and runners reach this dashboard. */
export async function installScript(downloads: RunnerDownloads, baseUrl: string): Promise<string> {
	const template = await readFile(join(rootFolder(), "lib", "runners", "install", "install.sh"), "utf8");
	const values: Record<string, string> = {
		VERSION: await downloads.runnerVersion(),
		PACKAGE_SHA256: (await downloads.runnerPackage()).sha256,
		NODE_VERSION: process.versions.node,
		NODE_SHA256_X64: await downloads.nodeSha256("x64"),
		NODE_SHA256_ARM64: await downloads.nodeSha256("arm64"),
	};
	return template
		.replace("URL=@URL@", () => `URL=${shellQuoted(baseUrl)}`)
		.replaceAll("@URL@", () => baseUrl.replaceAll(/[^\w.:/-]/g, ""))
		.replaceAll(/@(\w+)@/g, (_, name: string) => shellQuoted(values[name] ?? ""));
}
