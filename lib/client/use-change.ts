import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/** A mutation after which everything below `queryKey` is fetched again. */
export function useChange<Input, Answer>(queryKey: QueryKey, change: (input: Input) => Promise<Answer>) {
	const client = useQueryClient();
	return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey }) });
}
