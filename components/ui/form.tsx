"use client";

import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from "react";
import {
	type Control,
	type DefaultValues,
	type FieldValues,
	type Path,
	type RegisterOptions,
	type UseFormReturn,
	useForm,
} from "react-hook-form";
import { ApiError, errorMessage } from "#lib/client/api.ts";
import { Field } from "./field.tsx";
import { Notice } from "./notice.tsx";

export interface ServerForm<V extends FieldValues> extends Pick<UseFormReturn<V>, "register" | "reset"> {
	control: Control<V>;
	/** A call is under way; another submit does nothing. */
	busy: boolean;
	/** The errors that belong to no field. */
	error: string | undefined;
	errorOf(field: Path<V>): string | undefined;
	/** For the `form` element. */
	props: { noValidate: true; onSubmit(event: FormEvent): void };
}

/**
 * A form that the server validates: one call at a time, each error beside its field and the first of those focused,
 * errors without a field in `error`.
 * @param values what the fields hold at first, named as in the API's body; when these change, the fields follow
 * @param save gets the values, trimmed except for passwords; what it throws is shown
 */
export function useServerForm<V extends FieldValues>(values: V, save: (values: V) => Promise<void>): ServerForm<V> {
	const form = useForm<V>({ defaultValues: values as DefaultValues<V> });
	const { register, control, reset, setError } = form;
	const { errors, isSubmitting } = form.formState;

	const initial = JSON.stringify(values);
	const shown = useRef(initial);
	useEffect(() => {
		if (shown.current === initial) return;
		shown.current = initial;
		reset(JSON.parse(initial));
	}, [initial, reset]);

	const submit = form.handleSubmit(async (entered) => {
		try {
			await save(trimmed(entered));
		} catch (error) {
			const faults = error instanceof ApiError ? error.faults : [];
			const general = faults.length === 0 ? [errorMessage(error)] : [];
			const marked = new Set<string>();
			for (const { path, code, message } of faults) {
				const field = Object.keys(values).find((name) => name === path.split(".")[0]);
				if (field === undefined) general.push(message);
				else if (!marked.has(field)) {
					setError(field as Path<V>, { type: code, message }, { shouldFocus: marked.size === 0 });
					marked.add(field);
				}
			}
			if (general.length > 0) setError("root", { message: general.join(" ") });
		}
	});
	const onSubmit = (event: FormEvent) => {
		event.preventDefault();
		if (isSubmitting) return;
		// Also those of fields that are no longer shown, which nothing else would clear.
		form.clearErrors();
		void submit();
	};
	return {
		register,
		control,
		reset,
		busy: isSubmitting,
		error: errors.root?.message,
		errorOf: (field) => errors[field]?.message as string | undefined,
		props: { noValidate: true, onSubmit },
	};
}

const trimmed = <V extends FieldValues>(values: V): V =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			name,
			typeof value === "string" && !/password/i.test(name) ? value.trim() : value,
		]),
	) as V;

/** The errors that belong to no field; read out when they appear. */
export function FormError({ message }: { message: string | undefined }) {
	if (message === undefined) return null;
	return (
		<Notice tone="danger" alert>
			{message}
		</Notice>
	);
}

interface FieldProps<V extends FieldValues> {
	form: ServerForm<V>;
	name: Path<V>;
	label: string;
	hint?: ReactNode;
	className?: string;
}

/** A labelled input of a form, with its error. */
export function InputField<V extends FieldValues>({
	form,
	name,
	label,
	hint,
	className,
	rules,
	...input
}: FieldProps<V> & { rules?: RegisterOptions<V> } & Omit<ComponentProps<"input">, "form" | "name" | "className">) {
	return (
		<Field label={label} hint={hint} error={form.errorOf(name)} className={className}>
			{(control) => <input {...control} {...input} {...form.register(name, rules)} />}
		</Field>
	);
}

/** A labelled select of a form; `children` are its options. */
export function SelectField<V extends FieldValues>({
	form,
	name,
	label,
	hint,
	className,
	children,
}: FieldProps<V> & { children: ReactNode }) {
	return (
		<Field label={label} hint={hint} error={form.errorOf(name)} className={className}>
			{(control) => (
				<select {...control} {...form.register(name)}>
					{children}
				</select>
			)}
		</Field>
	);
}

/** Leaves for another page. Never settles, so that the form that calls it stays busy until it is gone. */
export function leaveFor(address: string): Promise<never> {
	location.assign(address);
	return new Promise(() => {});
}
