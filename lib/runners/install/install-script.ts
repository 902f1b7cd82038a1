/** The script that installs a runner of this version from this dashboard. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { VERSION } from "#lib/contract/version.ts";
import { nodeSha256 } from "./node-binary.ts";
import { rootFolder, runnerPackage } from "./runner-package.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** @param baseUrl where people and runners reach this dashboard. */
export async function installScript(baseUrl: string): Promise<string> {
	const template = await readFile(join(rootFolder(), "lib", "runners", "install", "install.sh"), "utf8");
	const values: Record<string, string> = {
		VERSION,
		PACKAGE_SHA256: (await runnerPackage()).sha256,
		NODE_VERSION: process.versions.node,
		NODE_SHA256_X64: await nodeSha256("x64"),
		NODE_SHA256_ARM64: await nodeSha256("arm64"),
	};
	return template
		.replace("URL=@URL@", () => `URL=${quoted(baseUrl)}`)
		.replaceAll("@URL@", () => baseUrl.replaceAll(/[^\w.:/-]/g, ""))
		.replaceAll(/@(\w+)@/g, (_, name: string) => quoted(values[name] ?? ""));
}
