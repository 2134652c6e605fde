import type { JSX } from 'preact';
import { AGENTS, AgentOptions, useNewestPassports } from '../../parts/agent-options.tsx';
import { TextField } from '../../parts/field.tsx';
import type { IntentTexts } from '../../text/intent.ts';

/** Renders the fields of an intent, with the newest passports to choose from. */
export function IntentFields(props: {
  texts: IntentTexts;
  onTexts: (texts: IntentTexts) => void;
  isFixed: boolean;
  errorAt: (path: string) => string | undefined;
}): JSX.Element {
  const { texts, onTexts, isFixed, errorAt } = props;
  const passports = useNewestPassports();
  const chosen = passports.find(({ agent_id }) => agent_id === texts.agent_id);
  const bind = (name: keyof IntentTexts) => ({
    value: texts[name],
    onValue: (value: string) => onTexts({ ...texts, [name]: value }),
    error: errorAt(`/intent/${name}`) ?? errorAt(`/${name}`),
  });
  return (
    <>
      {!isFixed && (
        <TextField
          label="Passport"
          list={AGENTS}
          placeholder="did:web:shop.example:agents:shopper"
          required
          mono
          {...bind('agent_id')}
        />
      )}
      <TextField
        label="Action"
        list="actions"
        placeholder="payments.create"
        required
        mono
        {...bind('action')}
      />
      <TextField label="Target" optional placeholder="did:web:supplier.example" mono {...bind('target')} />
      <div class="fields">
        <TextField label="Amount" optional inputMode="decimal" {...bind('amount')} />
        <TextField label="Currency" optional placeholder="EUR" {...bind('currency')} />
      </div>
      <AgentOptions passports={passports} />
      <datalist id="actions">
        {(chosen?.allowed_actions ?? []).map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
    </>
  );
}
