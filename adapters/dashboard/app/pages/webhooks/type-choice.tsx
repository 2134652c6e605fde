import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { EventType } from '../../../../../src/types.ts';
import { Check } from '../../parts/check.tsx';

/** The kinds of events to choose from: verdicts by their type, all others by their family. */
type Kind<Type> = Type extends `verdict.${string}`
  ? Type
  : Type extends `${infer Family}.${string}`
    ? `${Family}.*`
    : never;

const KINDS: Readonly<Record<Kind<EventType>, string>> = {
  'passport.*': 'issued, changed, suspended, active again, revoked',
  'key.*': 'made, changed, rotated, revoked',
  'verdict.denied': 'at most ten a second',
  'verdict.allowed': 'at most ten a second',
  'outcome.*': 'what came of verdicts; with them at most ten a second',
  'domain.*': 'claimed, released, given away',
  'approval.*': 'a person is asked, and has decided',
  'spend.*': 'committed, released, lapsed',
  'account.*': 'opened, disabled, password changed, logins throttled',
  'member.*': 'invited, joined, changed, removed, signed in',
  'webhook.*': 'made, changed, rotated, removed',
};

/** Renders the choice of event types. Types that were chosen through the API stay in the list. */
export function TypeChoice(props: {
  value: readonly string[];
  onValue: (value: readonly string[]) => void;
  error: string | undefined;
}): JSX.Element {
  const { value, onValue, error } = props;
  const id = useId();
  const types = [...new Set([...Object.keys(KINDS), ...value])];
  return (
    <fieldset class="field" {...(error !== undefined && { 'aria-describedby': id })}>
      <legend>Events</legend>
      {types.map((type) => (
        <Check
          key={type}
          isOn={value.includes(type)}
          onValue={(isOn) => onValue(isOn ? [...value, type] : value.filter((one) => one !== type))}
        >
          <code>{type}</code> <span class="quiet">{(KINDS as Readonly<Record<string, string>>)[type]}</span>
        </Check>
      ))}
      {error !== undefined && (
        <p class="error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
