/** A network between a runner and the dashboard that can be broken in every way that networks break. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * `pass`: no fault. `stall`: nothing moves, connections stay open, and data in transit arrives late. `drop`: bytes
 * vanish. `reset`: every connection is reset soon after it was made. `half_close`: the dashboard's side of every
 * connection ends in the middle, the runner's stays open.
 */
export type NetworkMode = "pass" | "stall" | "drop" | "reset" | "half_close";

export interface BreakableNetwork {
	readonly url: string;
	set(mode: NetworkMode): void;
	stop(): Promise<void>;
}

/** The lifetime of a connection while the network resets or half-closes: long enough for half a request. */
const SHORT_LIFE_MS = 150;

const isHalf = (socket: Socket): boolean => socket.destroyed || socket.readableEnded || socket.writableEnded;

class Link {
	readonly inner: Socket;
	readonly outer: Socket;
	/** Bytes were lost, so later bytes must not be passed on in their place. */
	#holed = false;
	#timer: NodeJS.Timeout | undefined;

	constructor(inner: Socket, outer: Socket, mode: () => NetworkMode, gone: () => void) {
		this.inner = inner;
		this.outer = outer;
		for (const [from, to] of [
			[inner, outer],
			[outer, inner],
		] as const) {
			from.on("data", (chunk) => {
				if (mode() === "drop") this.#holed = true;
				else if (!to.write(chunk)) from.pause();
			});
			to.on("drain", () => {
				if (mode() !== "stall") from.resume();
			});
			from.on("end", () => {
				if (mode() === "pass") to.end();
			});
			from.on("error", () => this.cut());
			from.on("close", () => {
				// A dead network does not tell one side that the other has closed.
				if (mode() !== "stall" && mode() !== "drop") to.destroy();
				if (inner.destroyed && outer.destroyed) gone();
			});
		}
		this.enter(mode());
	}

	enter(mode: NetworkMode): void {
		clearTimeout(this.#timer);
		switch (mode) {
			case "pass":
				if (this.#holed || [this.inner, this.outer].some(isHalf)) this.cut();
				else for (const socket of [this.inner, this.outer]) socket.resume();
				break;
			case "stall":
				for (const socket of [this.inner, this.outer]) socket.pause();
				break;
			case "drop":
				for (const socket of [this.inner, this.outer]) socket.resume();
				break;
			case "reset":
				this.#timer = setTimeout(() => {
					for (const socket of [this.inner, this.outer]) socket.resetAndDestroy();
				}, SHORT_LIFE_MS);
				break;
			case "half_close":
				this.#timer = setTimeout(() => this.inner.end(), SHORT_LIFE_MS);
				break;
		}
	}

	cut(): void {
		clearTimeout(this.#timer);
		this.inner.destroy();
		this.outer.destroy();
	}
}

/** @param target base URL of the dashboard; it need not be there. */
export async function startNetwork(target: string): Promise<BreakableNetwork> {
	const { hostname, port } = new URL(target);
	const links = new Set<Link>();
	let mode: NetworkMode = "pass";
	const server = createServer({ allowHalfOpen: true }, (inner) => {
		const outer = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
		const link = new Link(
			inner,
			outer,
			() => mode,
			() => links.delete(link),
		);
		links.add(link);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		set(wanted) {
			mode = wanted;
			for (const link of links) link.enter(wanted);
		},
		async stop() {
			for (const link of links) link.cut();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
