import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Intent, NewApiKey, Passport, Verdict } from '../../../../../src/types.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { LinesField, TextField } from '../../parts/field.tsx';
import { FailureNote } from '../../parts/states.tsx';
import { VerdictMark } from '../../parts/verdict.tsx';
import { call } from '../../state/api.ts';
import { may } from '../../state/rights.ts';
import { useTask } from '../../state/task.ts';
import { linesOf, money } from '../../text/words.ts';
import { CreateKey } from '../keys/create-key.tsx';

export function FirstRun(props: {
  passport: Passport | undefined;
  hasKey: boolean;
  onDone: () => void;
}): JSX.Element {
  const [passport, setPassport] = useState(props.passport);
  const [key, setKey] = useState<NewApiKey>();
  const [open, setOpen] = useState<'passport' | 'key'>();
  const close = (): void => setOpen(undefined);
  const hasKey = props.hasKey || key !== undefined;
  return (
    <>
      <p class="lead under">Three steps to the first verdict.</p>
      <ol class="steps">
        <Step title="Issue a passport" isDone={passport !== undefined}>
          {passport === undefined ? (
            <>
              <p class="quiet">It says what one agent may do, and up to which amount.</p>
              {may('POST /passports') && (
                <button type="button" class="button primary" onClick={() => setOpen('passport')}>
                  Issue a passport
                </button>
              )}
            </>
          ) : (
            <code>{passport.agent_id}</code>
          )}
        </Step>
        <Step title="Create an API key" isDone={hasKey}>
          <p class="quiet">Your application uses it to ask for verdicts.</p>
          {/* The secret of an earlier key is not known here: it was shown once. */}
          {key === undefined && may('POST /keys') && (
            <button
              type="button"
              class={`button ${passport !== undefined && !hasKey ? 'primary' : ''}`}
              onClick={() => setOpen('key')}
            >
              {hasKey ? 'Create another key' : 'Create key'}
            </button>
          )}
        </Step>
        <Step title="Ask for an ALLOW and a DENY" isDone={false}>
          <FirstVerdicts passport={passport} apiKey={key?.key} onDone={props.onDone} />
        </Step>
      </ol>
      {open === 'passport' && <FirstPassport onIssued={setPassport} onClose={close} />}
      {open === 'key' && <CreateKey onCreated={setKey} onClose={close} />}
    </>
  );
}

function Step(props: { title: string; isDone: boolean; children: ComponentChildren }): JSX.Element {
  const { title, isDone, children } = props;
  return (
    <li>
      <h2>
        {title}
        {isDone && <span class="status active">done</span>}
      </h2>
      {children}
    </li>
  );
}

interface Answer {
  readonly intent: Intent;
  readonly verdict: Verdict;
}

/**
 * Gets an ALLOW and a DENY for the passport. With an API key, they are real verdicts. Without a key, they are only a
 * trial of the passport's rules.
 */
function FirstVerdicts(props: {
  passport: Passport | undefined;
  apiKey: string | undefined;
  onDone: () => void;
}): JSX.Element {
  const { passport, apiKey, onDone } = props;
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const [isRecorded, setRecorded] = useState(false);
  const task = useTask();
  async function ask(): Promise<void> {
    if (passport === undefined) return;
    const answers: Answer[] = [];
    for (const intent of intentsFor(passport))
      answers.push({ intent, verdict: await verdictOn(intent, apiKey) });
    setAnswers(answers);
    setRecorded(apiKey !== undefined);
  }
  return (
    <>
      <p class="quiet">
        {apiKey === undefined
          ? 'A trial of the rules: nothing is recorded. If you create a key above, it is a real verdict.'
          : 'These are two real verdicts with the key that you have just created. Both are recorded and counted.'}
      </p>
      <div role="status" class="answers">
        {answers.map(({ intent, verdict }) => (
          <p key={verdict.verdict + JSON.stringify(intent)}>
            <VerdictMark value={verdict.verdict} /> <code>{intent.action}</code> of {amountOf(intent)}
            {verdict.reasons.map(({ code, message }) => (
              <span class="quiet" key={code}>
                {' '}
                {message}
              </span>
            ))}
          </p>
        ))}
      </div>
      <FailureNote failure={task.failure} />
      {isRecorded ? (
        <button type="button" class="button primary" onClick={onDone}>
          Show the overview
        </button>
      ) : (
        <button
          type="button"
          class={`button ${apiKey === undefined ? '' : 'primary'}`}
          disabled={passport === undefined}
          aria-busy={task.isRunning}
          onClick={() => task.run(ask)}
        >
          Ask both
        </button>
      )}
    </>
  );
}

function verdictOn(intent: Intent, apiKey: string | undefined): Promise<Verdict> {
  if (apiKey !== undefined) {
    return call('POST', '/verify', { body: intent, headers: { 'x-api-key': apiKey } });
  }
  return call('POST', `/passports/${encodeURIComponent(intent.agent_id)}/try`, { body: { intent } });
}

function intentsFor(passport: Passport): readonly Intent[] {
  const { agent_id, allowed_actions, monetary_limit_per_txn: limit, currency } = passport;
  const action = (allowed_actions[0] ?? 'payments.create').replaceAll('*', 'example');
  return [limit, Number(limit) + 1].map((amount) => ({
    agent_id,
    action,
    parameters: { amount, ...(currency && { currency }) },
  }));
}

function amountOf({ parameters }: Intent): string {
  return money(`${parameters?.['amount']}`, parameters?.['currency'] as string | undefined);
}

function FirstPassport(props: { onIssued: (passport: Passport) => void; onClose: () => void }): JSX.Element {
  const { onIssued, onClose } = props;
  const [domain, setDomain] = useState('');
  const [agent_name, setName] = useState('shopper');
  const [actions, setActions] = useState('payments.create');
  const [limit, setLimit] = useState('100');
  const [currency, setCurrency] = useState('EUR');
  const task = useTask();
  async function issue(): Promise<void> {
    const body = {
      domain: domain.trim(),
      agent_name,
      currency,
      allowed_actions: linesOf(actions),
      monetary_limit_per_txn: limit.trim(),
    };
    onIssued(await call<Passport>('POST', '/passports', { body }));
  }
  return (
    <DialogForm
      {...{ task, onClose }}
      title="Issue a passport"
      action="Issue passport"
      work={issue}
      onDone={onClose}
    >
      <TextField
        label="Domain"
        hint="Your domain, such as example.com."
        value={domain}
        onValue={setDomain}
        error={task.errorAt('/domain')}
        autoFocus
        required
      />
      <TextField
        label="Agent name"
        value={agent_name}
        onValue={setName}
        error={task.errorAt('/agent_name')}
        required
      />
      <LinesField
        label="Allowed actions"
        hint="One a line."
        value={actions}
        onValue={setActions}
        error={task.errorAt('/allowed_actions')}
        rows={2}
      />
      <div class="fields">
        <TextField
          label="Limit of one transaction"
          value={limit}
          onValue={setLimit}
          error={task.errorAt('/monetary_limit_per_txn')}
          inputMode="decimal"
          required
        />
        <TextField
          label="Currency"
          value={currency}
          onValue={setCurrency}
          error={task.errorAt('/currency')}
          required
        />
      </div>
    </DialogForm>
  );
}
