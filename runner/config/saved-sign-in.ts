/** The sign-in that `tapedeck login` keeps in the user's configuration folder, readable by the user alone. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { type Environment, homeFolder } from "./settings.ts";

const schema = z.object({
	/** The dashboard's base URL, without a slash at its end. */
	url: z.string(),
	apiKey: z.string(),
	/** The key's id, to revoke it by. */
	apiKeyId: z.int(),
	/** The key's name in the dashboard's settings. */
	name: z.string(),
});
export type SavedSignIn = z.infer<typeof schema>;

/** The file, below the XDG configuration folder. */
export function savedSignInFile(env: Environment): string {
	const folder = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : join(homeFolder(), ".config");
	return join(folder, "tapedeck", "sign-in.json");
}

/** @returns null if no sign-in is saved, or if the file cannot be read. */
export function readSignIn(env: Environment): SavedSignIn | null {
	try {
		return schema.safeParse(JSON.parse(readFileSync(savedSignInFile(env), "utf8"))).data ?? null;
	} catch {
		return null;
	}
}

/** Replaces the file at once. @throws an error of the file system. */
export function saveSignIn(env: Environment, signIn: SavedSignIn): void {
	const file = savedSignInFile(env);
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const fresh = `${file}.${process.pid}`;
	writeFileSync(fresh, `${JSON.stringify(signIn, null, "\t")}\n`, { mode: 0o600 });
	// writeFile applies its mode to new files only.
	chmodSync(fresh, 0o600);
	renameSync(fresh, file);
}

export const removeSignIn = (env: Environment): void => rmSync(savedSignInFile(env), { force: true });
