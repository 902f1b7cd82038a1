/** Renaming and removing a runner. Apart from `runners.ts`, which every page loads at first. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { call } from "#lib/client/api.ts";
import { applyRunner, forgetRunner } from "#lib/client/runners.ts";

/** Changes a runner's display name. */
export function useRenameRunner() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: ({ id, name }: { id: number; name: string }) =>
			call<Runner>("PATCH", `/v1/runners/${id}`, { body: { name } }),
		onSuccess: (runner) => applyRunner(client, runner),
	});
}

/** Removes a runner for good. */
export function useRemoveRunner() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (id: number) => call<void>("DELETE", `/v1/runners/${id}`),
		onSuccess: (_nothing, id) => forgetRunner(client, id),
	});
}
