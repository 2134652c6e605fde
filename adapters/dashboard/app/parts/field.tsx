import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

export interface Control {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

function Field(props: {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  optional?: boolean;
  children: (control: Control) => JSX.Element;
}): JSX.Element {
  const { label, hint, error, optional, children } = props;
  const id = useId();
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="quiet"> optional</span>}
      </label>
      {children({
        id,
        ...(notes.length > 0 && { 'aria-describedby': notes.join(' ') }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function TextField(props: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | undefined;
  optional?: boolean;
  type?: string;
  inputMode?: 'decimal' | 'numeric';
  autoComplete?: string;
  placeholder?: string;
  autoFocus?: boolean;
  required?: boolean;
  mono?: boolean;
  list?: string;
}): JSX.Element {
  const { label, hint, error, optional, onValue, mono, ...otherFields } = props;
  return (
    <Field label={label} hint={hint} error={error} optional={optional ?? false}>
      {(control) => (
        <input
          type="text"
          spellcheck={false}
          autoComplete="off"
          {...otherFields}
          {...control}
          class={mono ? 'mono' : ''}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function LinesField(props: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | undefined;
  optional?: boolean;
  rows?: number;
  placeholder?: string;
  isProse?: boolean;
}): JSX.Element {
  const { label, hint, error, optional, value, onValue, rows = 3, placeholder, isProse } = props;
  return (
    <Field label={label} hint={hint} error={error} optional={optional ?? false}>
      {(control) => (
        <textarea
          {...control}
          class={isProse ? '' : 'mono'}
          spellcheck={isProse ?? false}
          rows={Math.min(12, Math.max(rows, value.split('\n').length))}
          placeholder={placeholder}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function SelectField(props: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
  hint?: ComponentChildren;
  error?: string | undefined;
}): JSX.Element {
  const { label, hint, error, value, onValue, options } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          {options.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
