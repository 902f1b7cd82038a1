/** Whether programs of this process's user can be shown on a display of this machine. */
import { connect } from "node:net";

const TIMEOUT_MS = 3_000;
/** The beginning of a connection of the X protocol 11.0, without a cookie. */
const SETUP = Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const SUCCESS = 1;

/** @param displayId such as `:104`. */
export function opens(displayId: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ path: `/tmp/.X11-unix/X${displayId.slice(1)}`, timeout: TIMEOUT_MS });
		const end = (isOpen: boolean) => {
			socket.destroy();
			resolve(isOpen);
		};
		socket.on("connect", () => socket.write(SETUP));
		socket.on("data", (answer: Buffer) => end(answer[0] === SUCCESS));
		for (const event of ["error", "timeout", "end"]) socket.on(event, () => end(false));
	});
}
