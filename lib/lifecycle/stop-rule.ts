/** A stop condition in the database: its name, its public configuration as JSON, and the encrypted grid password. */
import { normalizeGridUrl, type PublicStopRule, type StopRule } from "@tapedeck/contract/stop-condition.ts";
import type { Context } from "#lib/core/context.ts";
import type { JobRow } from "./job-store.ts";

type StopRuleColumns = Pick<JobRow, "stopCondition" | "stopConditionConfig" | "gridPasswordSealed">;

/** @returns the columns that store `rule`, with its secrets encrypted. */
export function stopRuleColumns(ctx: Pick<Context, "secrets">, rule: StopRule): StopRuleColumns {
	switch (rule.stopCondition) {
		case "duration":
		case "interrupt":
			return columns(rule, null);
		case "selenium_idle": {
			const { gridPassword, ...config } = rule.stopConditionConfig;
			const stopConditionConfig = { ...config, gridUrl: normalizeGridUrl(config.gridUrl) };
			return columns({ ...rule, stopConditionConfig }, sealedIn(ctx, gridPassword));
		}
		case "selenium_session": {
			const { gridPassword, ...config } = rule.stopConditionConfig;
			const stopConditionConfig = { ...config, gridUrl: normalizeGridUrl(config.gridUrl) };
			return columns({ ...rule, stopConditionConfig }, sealedIn(ctx, gridPassword));
		}
	}
}

const sealedIn = ({ secrets }: Pick<Context, "secrets">, password: string | undefined): string | null =>
	password === undefined ? null : secrets.seal(password);

const columns = (rule: PublicStopRule, gridPasswordSealed: string | null): StopRuleColumns => ({
	stopCondition: rule.stopCondition,
	stopConditionConfig: JSON.stringify(rule.stopConditionConfig),
	gridPasswordSealed,
});

/** @returns the stop condition as the API returns it, without secrets. */
export const publicStopRule = (row: StopRuleColumns): PublicStopRule => ({
	stopCondition: row.stopCondition,
	stopConditionConfig: JSON.parse(row.stopConditionConfig),
});

/** @returns the stop condition with its secrets, for the job's runner only. */
export function openStopRule(ctx: Pick<Context, "secrets">, row: StopRuleColumns): StopRule {
	const rule = publicStopRule(row);
	switch (rule.stopCondition) {
		case "duration":
		case "interrupt":
			return rule;
		case "selenium_idle":
		case "selenium_session": {
			const { gridPasswordSealed: sealed } = row;
			if (sealed === null) return rule;
			const stopConditionConfig = { ...rule.stopConditionConfig, gridPassword: ctx.secrets.open(sealed) };
			return { ...rule, stopConditionConfig } as StopRule;
		}
	}
}
