"use client";

import { clsx } from "clsx";
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from "react";
import {
	type Control,
	type DefaultValues,
	type FieldValues,
	get,
	type Path,
	type PathValue,
	type RegisterOptions,
	type UseFormReturn,
	useForm,
} from "react-hook-form";
import { ApiError, errorMessage } from "#lib/client/api.ts";
import { Button, type ButtonVariant } from "./button.tsx";
import { Field } from "./field.tsx";
import { Notice } from "./notice.tsx";
import { useClientValue } from "./use-client-value.ts";

export interface ServerForm<V extends FieldValues> extends Pick<UseFormReturn<V>, "register" | "reset" | "setValue"> {
	control: Control<V>;
	/** The initial values of the fields. */
	values: V;
	/** The page's scripts run: until then, the browser itself would send the form, its values in the address. */
	ready: boolean;
	/** A call is under way; another submit does nothing. */
	busy: boolean;
	/** The errors that belong to no field. */
	error: string | undefined;
	errorOf(field: Path<V>): string | undefined;
	/** Props of the `form` element. */
	props: { noValidate: true; onSubmit(event: FormEvent): void };
}

/**
 * A form that the server validates: one call at a time. Each error is next to its field, and the first of these fields
 * gets the focus. Errors without a field are in `error`.
 * @param values the initial values of the fields, named as in the API's body; when they change, the fields follow
 * @param save receives the values, trimmed except for passwords; its errors are shown
 */
export function useServerForm<V extends FieldValues>(values: V, save: (values: V) => Promise<void>): ServerForm<V> {
	const form = useForm<V>({ defaultValues: values as DefaultValues<V> });
	const { control, reset, setError, setValue } = form;
	const { errors, isSubmitting } = form.formState;

	const ready = useClientValue(() => true, false);

	const register: UseFormReturn<V>["register"] = (name, rules) => {
		const field = form.register(name, rules);
		const ref = (element: unknown) => {
			const early = changedValueOf(element);
			field.ref(element);
			if (early !== undefined) form.setValue(name, early as PathValue<V, typeof name>, { shouldDirty: true });
		};
		return { ...field, ref: ready ? field.ref : ref };
	};

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
				const top = Object.keys(values).find((name) => name === path.split(".")[0]);
				// If the values are objects, each object is one field, whichever part of it is wrong.
				const isObject = top !== undefined && typeof values[top] === "object";
				const field = isObject ? path.split(".", 2).join(".") : top;
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
		// Also clears errors of fields that are no longer shown, which nothing else would clear.
		form.clearErrors();
		void submit();
	};
	return {
		register,
		control,
		reset,
		setValue,
		values,
		ready,
		busy: isSubmitting,
		error: errors.root?.message,
		errorOf: (field) => (get(errors, field) as { message?: string } | undefined)?.message,
		props: { noValidate: true, onSubmit },
	};
}

/**
 * The value that a user entered before the page's scripts ran, which react-hook-form would overwrite.
 * @returns undefined if the element is as the server rendered it
 */
function changedValueOf(element: unknown): string | boolean | undefined {
	if (element instanceof HTMLSelectElement) {
		const rendered = [...element.options].find((option) => option.defaultSelected) ?? element.options[0];
		return element.value === rendered?.value ? undefined : element.value;
	}
	if (!(element instanceof HTMLInputElement)) return undefined;
	if (element.type === "checkbox") return element.checked === element.defaultChecked ? undefined : element.checked;
	return element.value === element.defaultValue ? undefined : element.value;
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

/** Sends the form, once at a time, and only once the page's scripts run. */
export function SubmitButton<V extends FieldValues>({
	form,
	className,
	...button
}: { form: Pick<ServerForm<V>, "ready" | "busy">; variant?: ButtonVariant } & Omit<ComponentProps<"button">, "form">) {
	return (
		<Button
			type="submit"
			disabled={!form.ready}
			aria-disabled={form.busy}
			// No dimming for the moment until the scripts run.
			className={clsx("disabled:opacity-100", className)}
			{...button}
		/>
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
			{(control) => <input {...control} defaultValue={form.values[name]} {...input} {...form.register(name, rules)} />}
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
				<select {...control} defaultValue={form.values[name]} {...form.register(name)}>
					{children}
				</select>
			)}
		</Field>
	);
}

/** Navigates to another page. Never settles, so that the form that calls it stays busy until it is gone. */
export function leaveFor(address: string): Promise<never> {
	location.assign(address);
	return new Promise(() => {});
}
