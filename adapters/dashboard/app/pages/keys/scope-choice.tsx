import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Environment, Scope } from '../../../../../src/index.ts';
import { Check } from '../../parts/check.tsx';

const SCOPES: Readonly<Record<Scope, string>> = {
  verify: 'ask for verdicts',
  revoke: 'suspend and revoke passports',
  reinstate: 'end suspensions',
  refund: 'give back what was spent of budgets',
  events: 'read the event stream',
  sign: 'sign passports, for those outside',
  permit: 'ask for permits, which resources demand',
  decide: 'decide in its own process: reads whole passports and files verdicts',
};

/** Returns the scopes as text; `all` if the key has every scope. */
export function scopesText(scopes: readonly string[]): string {
  return scopes.length === Object.keys(SCOPES).length ? 'all' : scopes.join(', ');
}

/** The scopes that a test key may have. */
export const TEST_SCOPES: readonly string[] = ['verify', 'events', 'decide', 'permit'];

/** Renders the choice of a key's scopes. */
export function ScopeChoice(props: {
  environment: Environment;
  value: readonly string[];
  onValue: (value: readonly string[]) => void;
  error: string | undefined;
}): JSX.Element {
  const { environment, value, onValue, error } = props;
  const id = useId();
  return (
    <fieldset class="field" {...(error !== undefined && { 'aria-describedby': id })}>
      <legend>Scopes</legend>
      {Object.entries(SCOPES).map(([scope, meaning]) => {
        const isPossible = environment === 'live' || TEST_SCOPES.includes(scope);
        return (
          <Check
            key={scope}
            isDisabled={!isPossible}
            isOn={isPossible && value.includes(scope)}
            onValue={(isOn) => onValue(isOn ? [...value, scope] : value.filter((one) => one !== scope))}
          >
            <code>{scope}</code> <span class="quiet">{meaning}</span>
          </Check>
        );
      })}
      {error !== undefined && (
        <p class="error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
