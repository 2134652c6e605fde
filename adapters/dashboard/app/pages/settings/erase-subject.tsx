import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SubjectErasure } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { Confirm, DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { leave, session } from '../../state/session.ts';
import { useTask } from '../../state/task.ts';
import { plural } from '../../text/words.ts';

export function EraseSubject(): JSX.Element {
  const [subject, setSubject] = useState('');
  const [isAsking, setAsking] = useState(false);
  async function erase(): Promise<void> {
    let erasedCount = 0;
    for (let hasMore = true; hasMore; ) {
      const doneErasure = await call<SubjectErasure>('POST', '/subjects/erase', { body: { subject } });
      erasedCount += doneErasure.erased;
      hasMore = doneErasure.has_more;
    }
    announce(`${plural(erasedCount, 'record')} had the subject, and no longer have it.`);
    setSubject('');
  }
  return (
    <section class="part">
      <h2>Erase a subject</h2>
      <form
        class="panel narrow"
        onSubmit={(event) => {
          event.preventDefault();
          setAsking(true);
        }}
      >
        <p>
          Removes the subject from verdict records and approvals. Webhook deliveries, backups and exports keep
          it.
        </p>
        <TextField
          label="Subject"
          placeholder="exactly as the intents name it"
          required
          value={subject}
          onValue={setSubject}
        />
        <button type="submit" class="button danger-quiet">
          Erase the subject
        </button>
      </form>
      {isAsking && (
        <Confirm title="Erase the subject?" action="Erase it" onClose={() => setAsking(false)} work={erase}>
          <p>
            Every record of <code dir="auto">{subject}</code> loses its subject. This cannot be undone.
          </p>
        </Confirm>
      )}
    </section>
  );
}

export function DeleteAccount(): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <section class="part">
      <h2>Delete the account</h2>
      <div class="panel narrow">
        <p>
          Erases everything in this account: its keys, webhooks, domains, approvals, verdicts and e-mail. Its
          passports are revoked, and their ids can never be issued again.
        </p>
        <button type="button" class="button danger-quiet" onClick={() => setAsking(true)}>
          Delete the account
        </button>
      </div>
      {isAsking && <Ask onClose={() => setAsking(false)} />}
    </section>
  );
}

function Ask({ onClose }: { onClose: () => void }): JSX.Element {
  const [current_password, setCurrent] = useState('');
  const task = useTask();
  const isWrong = task.failure?.code === 'invalid_credentials';
  async function close(): Promise<void> {
    await call('DELETE', '/account', { body: { current_password } });
    leave();
  }
  return (
    <DialogForm
      title="Delete the account?"
      action="Delete the account"
      isDangerous
      isReady={current_password !== ''}
      {...{ task, work: close, onClose }}
    >
      <p>Its keys and sessions stop working. This cannot be undone.</p>
      {/* Shows a password manager to which account the password belongs. */}
      <input type="text" autoComplete="username" value={session.value?.email ?? ''} hidden readOnly />
      <TextField
        label="Password"
        type="password"
        value={current_password}
        onValue={setCurrent}
        autoComplete="current-password"
        error={isWrong ? 'This is not the password.' : task.errorAt('/current_password')}
        autoFocus
        required
      />
    </DialogForm>
  );
}
