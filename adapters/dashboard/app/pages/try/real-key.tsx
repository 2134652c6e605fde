import type { JSX } from 'preact';
import { Check } from '../../parts/check.tsx';
import { TextField } from '../../parts/field.tsx';
import type { RealQuestion } from './use-ask.ts';

/** Renders the field of an API key, which stays in the memory of this page. */
export function RealKey(props: RealQuestion): JSX.Element {
  const { apiKey, setApiKey, isDry, setDry } = props;
  return (
    <details>
      <summary>Ask as an agent would, with an API key</summary>
      <div class="stack">
        <TextField
          label="API key"
          optional
          type="password"
          hint="It stays in the memory of this page, and goes nowhere but to the service."
          value={apiKey}
          onValue={setApiKey}
          mono
        />
        <Check isOn={isDry} onValue={setDry}>
          Dry run <span class="quiet">recorded as such, left out of analytics</span>
        </Check>
      </div>
    </details>
  );
}
