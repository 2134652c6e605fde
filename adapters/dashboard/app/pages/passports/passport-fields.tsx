import type { ComponentChildren, JSX } from 'preact';
import { PASSPORT_LABELS } from '../../../../../src/schema/passport-words.ts';
import type { ApprovalRequirement } from '../../../../../src/types.ts';
import { LinesField, SelectField, TextField } from '../../parts/field.tsx';
import type { PassportForm, PassportTexts } from '../../state/passport-form.ts';
import { useSecondScript } from '../../state/second-script.ts';
import { PLAIN_FIELDS } from '../../text/passport-fields.ts';

export function PassportFields(props: {
  form: PassportForm;
  errorAt: (path: string) => string | undefined;
}): JSX.Element {
  const { texts, set } = props.form;
  const bind = (name: keyof PassportTexts) => ({
    value: texts[name],
    onValue: set(name),
    error: props.errorAt(`/${name}`),
  });
  return (
    <>
      <LinesField
        label="Allowed actions"
        hint="One per line: payments.create, a pattern such as orders.*, or * for every action. Empty: nothing."
        placeholder="payments.create"
        {...bind('allowed_actions')}
      />
      <div class="fields">
        <TextField
          label="Limit per transaction"
          hint="The most that one action may move. 0: no money."
          inputMode="decimal"
          placeholder="100"
          required
          {...bind('monetary_limit_per_txn')}
        />
        <TextField label="Currency" optional hint="Empty: any." placeholder="EUR" {...bind('currency')} />
      </div>
      <LinesField
        label="Actions that must carry an amount"
        optional
        hint="Without an amount they are denied."
        rows={2}
        {...bind('monetary_actions')}
      />
      {PLAIN_FIELDS.map((name) => (
        <LinesField key={name} {...PASSPORT_LABELS[name]} optional rows={2} {...bind(name)} />
      ))}
      <Group title="Budgets and approvals">
        <LimitFields form={props.form} errorAt={props.errorAt} />
      </Group>
      <Group title="Validity and proof">
        <div class="fields">
          <TextField label="Valid from" optional type="datetime-local" {...bind('not_before')} />
          <TextField label="Valid until" optional type="datetime-local" {...bind('expires_at')} />
        </div>
        <ProofField {...bind('proof')} />
        <LinesField
          label="Public keys"
          optional
          hint="As JSON: a JWK, a JWK set or a list of at most 4, on Ed25519 or P-256. Never a private key."
          rows={2}
          {...bind('public_keys')}
        />
      </Group>
      <Group title="For people">
        <LinesField label="Description" optional rows={2} isProse {...bind('description')} />
        <LinesField
          label="Metadata"
          optional
          hint="One name = value per line, for your own use."
          rows={2}
          {...bind('metadata')}
        />
      </Group>
    </>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <fieldset class="stack group">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function ProofField(props: {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}): JSX.Element {
  return (
    <SelectField
      label="Proof of possession"
      hint="The agent signs each intent with a key of its passport."
      options={[
        ['', 'not required'],
        ['identity', 'required: the intent comes from this agent'],
        ['intent', 'required: the agent signed exactly this intent'],
      ]}
      {...props}
    />
  );
}

function LimitFields({
  form: { texts, set },
  errorAt,
}: {
  form: PassportForm;
  errorAt: (path: string) => string | undefined;
}): JSX.Element {
  const script = useSecondScript();
  const bind = (name: keyof ApprovalRequirement) => ({
    value: texts[`approval_${name}`],
    onValue: set(`approval_${name}`),
    error: errorAt(`/approval/${name}`),
  });
  return (
    <>
      {script !== 'failed' && script && <script.ConditionField {...{ texts, set, errorAt }} />}
      <div class="fields">
        <TextField
          label="Ask a person above this amount"
          optional
          hint="Needs a currency, and actions that must carry an amount."
          inputMode="decimal"
          {...bind('above')}
        />
        <TextField
          label="An approval lasts"
          optional
          hint="Seconds, 60 to 604800. Empty: an hour."
          inputMode="numeric"
          {...bind('seconds')}
        />
      </div>
      <LinesField
        label="Ask a person for these actions"
        optional
        hint="One per line: payments.refund, or a pattern such as orders.*."
        rows={2}
        {...bind('actions')}
      />
      {script !== 'failed' && script && <script.PeopleFields bind={bind} />}
    </>
  );
}
