import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NewApiKey, Passport } from '../../../../../src/types.ts';
import { may } from '../../state/rights.ts';
import { CreateKey } from '../keys/create-key.tsx';
import { FirstPassport } from './first-passport.tsx';
import { FirstVerdicts } from './first-verdicts.tsx';

/** Shows the first steps of an account, from a passport to the first ALLOW and DENY, on one page. */
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
          <p class="quiet">With it the host of the agent asks for verdicts.</p>
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
