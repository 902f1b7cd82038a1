/**
 * The socket by which test processes ask the reporter for displays and recordings with `tapedeckDisplay: "test"`. It speaks
 * HTTP, and only this user can open it. Test processes inherit its path in a variable.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

const VARIABLE = "TAPEDECK_PLAYWRIGHT_FILMS";

/** The display of a worker. */
export interface FilmDisplay {
	/** `:104` */
	id: string;
	width: number;
	height: number;
}

export interface FilmOrder {
	/** The id of the test and the number of its retry. */
	key: string;
	/** The name of the recording. */
	name: string;
	/** The parallel index of the worker. */
	index: number;
}

/** The recording of an attempt. Its first frame is captured. */
export interface Film {
	/** The file to which its process appends what browsers log; undefined if it cannot. */
	lines: string | undefined;
}

/** Answers test processes. They receive the message of an error, and continue without a display or a recording. */
export interface FilmMaker {
	/** @param index parallel index of the worker. */
	display(index: number): Promise<FilmDisplay>;
	film(order: FilmOrder): Promise<Film>;
}

export class FilmServer {
	readonly #server: Server;
	readonly #path: string;

	/** Processes of tests that are started from now on can ask. */
	constructor(maker: FilmMaker) {
		// Only this user can enter the folder.
		this.#path = join(mkdtempSync(join(tmpdir(), "tapedeck-")), "films");
		this.#server = createServer(async (call, response) => {
			const order = JSON.parse(await text(call));
			const made = call.url === "/display" ? maker.display(order.index) : maker.film(order);
			const [status, answer] = await made.then(
				(answer) => [200, answer] as const,
				(error) => [503, { error: error instanceof Error ? error.message : String(error) }] as const,
			);
			response.writeHead(status).end(JSON.stringify(answer));
		});
		this.#server.listen(this.#path);
		this.#server.unref();
		process.env[VARIABLE] = this.#path;
	}

	close(): void {
		delete process.env[VARIABLE];
		this.#server.close();
		this.#server.closeAllConnections();
		rmSync(dirname(this.#path), { recursive: true, force: true });
	}
}

/** In the process of a test: asks the reporter. @returns null if this run has no such recordings. */
export function filmMaker(env: NodeJS.ProcessEnv): FilmMaker | null {
	const socketPath = env[VARIABLE];
	if (socketPath === undefined) return null;
	const ask = async <T>(path: string, order: object): Promise<T> => {
		const { status, body } = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
			const call = request({ socketPath, path, method: "POST", agent: false }, (response) => {
				text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
			});
			call.on("error", reject);
			call.end(JSON.stringify(order));
		});
		const answer: T & { error?: string } = JSON.parse(body);
		if (status !== 200) throw new Error(answer.error);
		return answer;
	};
	return {
		display: (index) => ask("/display", { index }),
		film: (order) => ask("/film", order),
	};
}
