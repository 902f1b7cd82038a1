import { expect, test } from "vitest";
import { readLogLine } from "./log-times.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const local = (...parts: [number, number, number, number, number, number, number?]): string =>
	new Date(...parts).toISOString();

test.each([
	["ISO 8601", "2026-11-21T01:12:00.123Z GET /", "2026-11-21T01:12:00.123Z"],
	["GitHub Actions", "2026-11-21T01:12:00.1234567Z ##[group]Run", "2026-11-21T01:12:00.123Z"],
	["with a zone", "[2026-11-21 01:12:00,250 +0100] start", "2026-11-21T00:12:00.250Z"],
	["Python and Java, in local time", "2026-11-21 01:12:00,123 - root", local(2026, 10, 21, 1, 12, 0, 123)],
	["nginx and Go", "2026/11/21 01:12:00 [error] 7#7", local(2026, 10, 21, 1, 12, 0)],
	["web servers", "[21/Nov/2026:01:12:00 +0000] x", "2026-11-21T01:12:00.000Z"],
	["application servers", "21-Nov-2026 01:12:00.500 INFO [main]", local(2026, 10, 21, 1, 12, 0, 500)],
	["HTTP", "Sat, 21 Nov 2026 01:12:00 GMT x", "2026-11-21T01:12:00.000Z"],
	["Apache", "[Sat Nov 21 01:12:00.250 2026] [core:error]", local(2026, 10, 21, 1, 12, 0, 250)],
	["syslog", "Nov  1 01:12:00 host sshd[1]: x", local(2026, 10, 1, 1, 12, 0)],
	["syslog of last year", "Dec 31 23:59:59 host x", local(2025, 11, 31, 23, 59, 59)],
	["glog", "E1121 01:12:00.123456 7 server.go:1] x", local(2026, 10, 21, 1, 12, 0, 123)],
	["seconds since 1970", "1795223520.5 x", new Date(1_795_223_520_500).toISOString()],
	["milliseconds since 1970", "1795223520123 x", new Date(1_795_223_520_123).toISOString()],
	["a time of day", "01:12:00.5 x", local(2026, 10, 21, 1, 12, 0, 500)],
	["JSON of pino", '{"level":50,"time":1795223520123,"msg":"x"}', new Date(1_795_223_520_123).toISOString()],
	["JSON of zap", '{"level":"error","ts":1795223520.25,"msg":"x"}', new Date(1_795_223_520_250).toISOString()],
	["JSON of logstash", '{"@timestamp":"2026-11-21T01:12:00Z","message":"x"}', "2026-11-21T01:12:00.000Z"],
	["logfmt", 'level=error ts=2026-11-21T01:12:00.5Z msg="no total"', "2026-11-21T01:12:00.500Z"],
	["logfmt, quoted", 'time="2026-11-21T01:12:00Z" level=info', "2026-11-21T01:12:00.000Z"],
	["access logs", '10.0.0.1 - ann [21/Nov/2026:01:12:00 +0000] "GET / HTTP/1.1" 200', "2026-11-21T01:12:00.000Z"],
	["access logs with a host", 'shop:443 ::1 - - [21/Nov/2026:01:12:00 +0100] "GET /"', "2026-11-21T00:12:00.000Z"],
	["syslog with a priority", "<34>1 2026-11-21T01:12:00.003Z host su - ID47", "2026-11-21T01:12:00.003Z"],
	["syslog with a priority, as of old", "<34>Nov  1 01:12:00 host su: x", local(2026, 10, 1, 1, 12, 0)],
	["java.util.logging", "Nov 21, 2026 1:12:00 PM shop.Cart pay", local(2026, 10, 21, 13, 12, 0)],
	["java.util.logging of today's Java", "Nov 21, 2026 12:12:00\u202fAM shop.Cart pay", local(2026, 10, 21, 0, 12, 0)],
	["MongoDB", '{"t":{"$date":"2026-11-21T01:12:00.123+00:00"},"s":"E","msg":"x"}', "2026-11-21T01:12:00.123Z"],
	["Serilog, compact", '{"@t":"2026-11-21T01:12:00.1234567Z","@mt":"x","@l":"Error"}', "2026-11-21T01:12:00.123Z"],
	["Serilog", '{"Timestamp":"2026-11-21T01:12:00Z","Level":"Error","MessageTemplate":"x"}', "2026-11-21T01:12:00.000Z"],
	["Serilog's console", "[01:12:00 ERR] x", local(2026, 10, 21, 1, 12, 0)],
	[
		"journald as JSON",
		'{"__REALTIME_TIMESTAMP":"1795223520123456","PRIORITY":"3","MESSAGE":"x"}',
		new Date(1_795_223_520_123).toISOString(),
	],
	["journalctl with full dates", "Sat 2026-11-21 01:12:00 UTC host sshd[1]: x", "2026-11-21T01:12:00.000Z"],
	[
		"OpenTelemetry",
		'{"timeUnixNano":"1795223520123456789","severityText":"ERROR","body":{"stringValue":"x"}}',
		new Date(1_795_223_520_123).toISOString(),
	],
	[
		"OpenTelemetry's file exporter",
		'{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1795223520000000000","severityNumber":17,"body":{"stringValue":"x"}}]}]}]}',
		new Date(1_795_223_520_000).toISOString(),
	],
	[
		"Google Cloud",
		'{"severity":"ERROR","message":"x","timestampSeconds":1795223520,"timestampNanos":250000000}',
		new Date(1_795_223_520_250).toISOString(),
	],
	[
		"Google Cloud's entries",
		'{"timestamp":"2026-11-21T01:12:00.5Z","severity":"ERROR","textPayload":"x"}',
		"2026-11-21T01:12:00.500Z",
	],
	[
		"GELF",
		'{"version":"1.1","short_message":"x","timestamp":1795223520.25,"level":3}',
		new Date(1_795_223_520_250).toISOString(),
	],
	["colours", "\u001b[90m2026-11-21T01:12:00Z\u001b[0m \u001b[31mERR\u001b[0m x", "2026-11-21T01:12:00.000Z"],
	["days before months", "21.11.2026 01:12:00.250 x", local(2026, 10, 21, 1, 12, 0, 250)],
	["days before months, with a comma", "[21.11.2026, 01:12:00] x", local(2026, 10, 21, 1, 12, 0)],
	["a level before the time", "ERROR 2026-11-21T01:12:00Z x", "2026-11-21T01:12:00.000Z"],
	["docker compose", "web-1  | 2026-11-21T01:12:00Z x", "2026-11-21T01:12:00.000Z"],
])("the time of a line is read: %s", (_format, line, at) => {
	expect(readLogLine(line, NOW).at?.toISOString()).toBe(at);
});

test.each([
	"    at Cart.pay (cart.ts:12)",
	"12 tests",
	"2026-13-41T01:12:00Z",
	"25:00:00 x",
	"",
	"{ broken",
	"1.2.3.4 GET",
])("a line without a time has none: %j", (line) => {
	expect(readLogLine(line, NOW)).toMatchObject({ at: null, text: line });
});

test("levels are read from words, fields, letters and numbers, and no level from other words", () => {
	for (const [line, level] of [
		["2026-11-21T01:12:00Z WARNING x", "warn"],
		["time=1 level=error msg=x", "error"],
		["W1121 01:12:00.1 x", "warn"],
		['{"level":30,"msg":"x"}', "info"],
		["[FATAL] x", "error"],
		["<34>1 2026-11-21T01:12:00Z host su", "error"],
		["<14>Nov 21 01:12:00 host x", "info"],
		['{"short_message":"x","level":4}', "warn"],
		['{"timeUnixNano":"1795223520000000000","severityNumber":13,"body":"x"}', "warn"],
		['{"__REALTIME_TIMESTAMP":"1795223520123456","PRIORITY":"3","MESSAGE":"x"}', "error"],
		['{"t":{"$date":"2026-11-21T01:12:00Z"},"s":"W","msg":"x"}', "warn"],
		["[01:12:00 WRN] x", "warn"],
		["SEVERE: x", "error"],
		["no errors in an information", null],
	] as const) {
		expect(readLogLine(line, NOW).level, line).toBe(level);
	}
});

test("the message of a line of JSON is its text, and all of it its data", () => {
	expect(readLogLine('{"msg":"paid","total":3}', NOW)).toMatchObject({ text: "paid", data: { msg: "paid", total: 3 } });
});

test("hostile lines take linear time", () => {
	const begun = performance.now();
	for (const part of ["<1", "time=", "[1/Nov/", "1:1:1", "\u001b[1m", "INFO ", "a-|", "{", "2026-"]) {
		readLogLine(part.repeat(20_000), NOW);
	}
	expect(performance.now() - begun).toBeLessThan(1_000);
});
