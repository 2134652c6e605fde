import type { JSX } from 'preact';
import type { Page, Passport } from '../../../../../src/types.ts';
import { TextField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import type { IntentTexts } from '../../text/intent.ts';

/** Renders the fields of an intent, with the newest passports to choose from. */
export function IntentFields(props: {
  texts: IntentTexts;
  onTexts: (texts: IntentTexts) => void;
  isFixed: boolean;
  errorAt: (path: string) => string | undefined;
}): JSX.Element {
  const { texts, onTexts, isFixed, errorAt } = props;
  const path = '/passports?limit=100';
  const newest = useLoad(path, (signal) => call<Page<Passport>>('GET', path, { signal }));
  const passports = newest.data?.data ?? [];
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
          list="passports"
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
      <datalist id="passports">
        {passports.map(({ agent_id }) => (
          <option key={agent_id} value={agent_id} />
        ))}
      </datalist>
      <datalist id="actions">
        {(chosen?.allowed_actions ?? []).map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
    </>
  );
}
