/** Installs what a release needs, builds the pages, then builds it: see release/run.ts. */
import { ensureBuilt } from "./build.mjs";
import { ensureNodePackages, node24 } from "./node-packages.mjs";
import { fail } from "./remedy.mjs";
import { run, withPackages } from "./run.mjs";

async function release() {
	await ensureNodePackages();
	await ensureBuilt();
	const args = ["release/run.ts", ...process.argv.slice(2)];
	const { code } = await run(await node24(), args, { env: withPackages() });
	process.exitCode = code;
}

release().catch(fail);
