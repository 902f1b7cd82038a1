/** The alerts fire when operators have to do something, and not otherwise (prometheus-alerts.test.yml). */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { requireProgram } from "#test/processes/programs.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const promtool = (...args: string[]) => promisify(execFile)(requireProgram("promtool"), args);
const RULES = "prometheus-alerts.yml";
const TESTS = "prometheus-alerts.test.yml";

type Tests = {
	tests: { name: string; alert_rule_test?: { alertname: string; exp_alerts?: object[] }[] }[];
};

test("Prometheus reads the rules", async () => {
	expect((await promtool("check", "rules", path(RULES))).stdout).toContain("SUCCESS");
});

test("each alert fires in its situation, and in no other", async () => {
	expect((await promtool("test", "rules", path(TESTS))).stdout).toContain("SUCCESS");
});

test("each alert has a situation in which it fires", async () => {
	const { groups } = parse(await readFile(path(RULES), "utf8"));
	const alerts: string[] = groups.flatMap(({ rules }: { rules: { alert: string }[] }) =>
		rules.map(({ alert }) => alert),
	);
	const { tests } = parse(await readFile(path(TESTS), "utf8")) as Tests;
	const checks = tests.flatMap(({ alert_rule_test: checked = [] }) => checked);
	const fires = checks.filter(({ exp_alerts: expected = [] }) => expected.length > 0).map(({ alertname }) => alertname);
	expect([...new Set(fires)].sort()).toEqual(alerts.sort());
});

test("the runbook of each alert is a section of the guide to operating, which says something", async () => {
	const { groups } = parse(await readFile(path(RULES), "utf8"));
	const rules: { alert: string; annotations: { runbook_url?: string } }[] = groups.flatMap(
		({ rules }: { rules: object[] }) => rules,
	);
	const guide = await readFile(path("../docs/operating.md"), "utf8");
	const sections = new Map(
		guide.split(/^#+ /m).map((section) => {
			const [heading = "", ...text] = section.split("\n");
			return [heading.toLowerCase().replaceAll(" ", "-"), text.join(" ").trim()];
		}),
	);
	expect(rules.length).toBeGreaterThanOrEqual(18);
	for (const { alert, annotations } of rules) {
		const [page, anchor = ""] = (annotations.runbook_url ?? "").split("#");
		expect(page, alert).toMatch(/^https:\/\/.*\/docs\/operating\.md$/);
		expect(anchor, alert).toBe(alert.toLowerCase());
		expect(sections.get(anchor)?.length ?? 0, alert).toBeGreaterThan(60);
	}
});
