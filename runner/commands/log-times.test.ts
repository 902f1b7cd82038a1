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
		["no errors in an information", null],
	] as const) {
		expect(readLogLine(line, NOW).level, line).toBe(level);
	}
});

test("the message of a line of JSON is its text, and all of it its data", () => {
	expect(readLogLine('{"msg":"paid","total":3}', NOW)).toMatchObject({ text: "paid", data: { msg: "paid", total: 3 } });
});
