/** The command that installs a runner. Apart from the other ways to start one: the first page of all loads only this. */
import { shellQuoted } from "@tapedeck/contract/shell.ts";

export interface RunnerInstall {
	/** The dashboard's base URL. */
	url: string;
	/** The runner token's secret. */
	token: string;
	name: string;
}

/**
 * Installs the dashboard's version of the runner, in any folder. The token is in the environment: everyone on the machine
 * can read the arguments of a program.
 */
export const installCommand = ({ url, token, name }: RunnerInstall): string =>
	`curl -fsSL ${url}/install.sh | TAPEDECK_TOKEN=${shellQuoted(token)} sh -s -- --name ${shellQuoted(name)}`;
