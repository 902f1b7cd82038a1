/** The command that installs a runner. Apart from the other ways to start one: the first page of all loads only this. */
import { shellQuoted } from "#lib/contract/shell.ts";

export interface RunnerInstall {
	/** The dashboard's base URL. */
	url: string;
	/** The runner token's secret. */
	token: string;
	name: string;
}

/** Installs the dashboard's version of the runner, in any folder. */
export const installCommand = ({ url, token, name }: RunnerInstall): string =>
	`curl -fsSL ${url}/install.sh | sh -s -- --token ${shellQuoted(token)} --name ${shellQuoted(name)}`;
