/** The skill for agents (skills/tapedeck), as `/skill.md` and in the index by which agents discover skills. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Clients skip an index with another schema. */
const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const PATH = "/skill.md";

/** @param rootDir the repository's folder. */
export const readSkill = (rootDir: string): Promise<Buffer> =>
	readFile(join(rootDir, "skills", "tapedeck", "SKILL.md"));

/** @returns the index with the digest of the served bytes. */
export async function skillIndex(rootDir: string): Promise<object> {
	const skill = await readSkill(rootDir);
	const [, name = "", description = ""] = /^name: (.+)\ndescription: (.+)$/m.exec(skill.toString()) ?? [];
	const digest = `sha256:${createHash("sha256").update(skill).digest("hex")}`;
	return { $schema: SCHEMA, skills: [{ name, type: "skill-md", description, url: PATH, digest }] };
}
