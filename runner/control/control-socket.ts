/**
 * The address of a runner's control socket. A socket's path may have 107 bytes, a data directory's more: so both
 * sides go through a descriptor of the directory.
 */
import { closeSync, constants, openSync } from "node:fs";

const NAME = "control.sock";

export interface SocketAddress {
	/** Valid in this process until closed. */
	path: string;
	close(): void;
}

/** @throws as `open` does when the directory is not there or may not be entered. */
export function controlSocketIn(dataDir: string): SocketAddress {
	const descriptor = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY);
	return { path: `/proc/self/fd/${descriptor}/${NAME}`, close: () => closeSync(descriptor) };
}
