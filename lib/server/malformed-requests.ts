/** Answers requests that Node's parser rejects with a problem document, then closes the connection. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { TapedeckError } from "#lib/core/errors.ts";
import { problemAnswer } from "./problem.ts";
import { requestId } from "./request-log.ts";

type ParserError = NodeJS.ErrnoException & { bytesParsed?: number };

/** Answers malformed HTTP and requests that did not arrive in time with a problem document. */
export function answerMalformedRequests(server: Server): void {
	server.on("clientError", (error: ParserError, socket: Socket) => {
		// Either the client is gone, or a response has begun, of which another one would seem to be the rest.
		const begun = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true;
		if (error.code === "ECONNRESET" || !socket.writable || begun) {
			socket.destroy(error);
			return;
		}
		const { status, headers, body } = problemAnswer(problemOf(error), requestId(), null);
		const text = JSON.stringify(body);
		const responseHeaders = { ...headers, connection: "close", "content-length": String(Buffer.byteLength(text)) };
		const lines = Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
		socket.end(`HTTP/1.1 ${status} ${body.title}\r\n${lines.join("")}\r\n${text}`);
		// A client that keeps sending would keep the socket open.
		socket.setTimeout(1_000, () => socket.destroy());
	});
}

function problemOf(error: ParserError): TapedeckError {
	switch (error.code) {
		case "ERR_HTTP_REQUEST_TIMEOUT":
			return new TapedeckError("request_timeout", "The request did not arrive in time. Send it again, all at once.");
		case "HPE_HEADER_OVERFLOW":
			return new TapedeckError("headers_too_large", "The headers are larger than 16 KiB. Send fewer or shorter ones.");
		default:
			return new TapedeckError("bad_request", "Malformed HTTP request.");
	}
}
