/** `tapedeck skill install`: tells the agents of a project how to use Tapedeck. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { errorMessage } from "../../base/fault.ts";
import { CommandError, EXIT, type ExitStatus } from "../command.ts";
import { option } from "../define-command.ts";
import { type ApiCall, apiCommand, apiCommands } from "./api-command.ts";

/** Folders in which agents look for the skills of a project: most of them, and Claude Code. */
const FOLDERS = [".agents/skills", ".claude/skills"];

async function install({ client, values, print }: ApiCall): Promise<ExitStatus> {
	const response = await client.open("GET", "/skill.md");
	const skill = await response.text();
	const project = resolve(String(values.folder ?? "."));
	const files = FOLDERS.map((folder) => join(project, folder, "tapedeck", "SKILL.md"));
	try {
		for (const file of files) {
			await makeFolders(project, dirname(file));
			await writeFile(file, skill);
		}
	} catch (error) {
		throw new CommandError("not_written", `The skill can't be written: ${errorMessage(error)}.`);
	}
	print({ files }, files.map((file) => `Wrote ${file}`).join("\n"));
	return EXIT.done;
}

/** One by one: with `recursive`, Node never returns where nothing can be created, such as in /proc. */
async function makeFolders(project: string, folder: string): Promise<void> {
	let path = project;
	for (const name of relative(project, folder).split(sep)) {
		path = join(path, name);
		await mkdir(path).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== "EEXIST") throw error;
		});
	}
}

export const command = apiCommands("skill", "The skill that tells agents how to use Tapedeck.", {
	install: apiCommand({
		usage: "tapedeck skill install [--folder <path>]",
		summary: "write the skill for agents into a project",
		about: `Writes the dashboard's skill for agents to ${FOLDERS.join(" and ")} of a project, instead of an earlier one.`,
		options: [option("--folder <path>", "the project; default the current folder")],
		run: install,
	}),
});
