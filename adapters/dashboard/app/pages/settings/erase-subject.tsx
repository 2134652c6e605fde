import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SubjectErasure } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { TextField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { plural } from '../../text/words.ts';

/** Erases a subject, the id of a user or system for whom agents acted. */
export function EraseSubject(): JSX.Element {
  const [subject, setSubject] = useState('');
  const [isAsking, setAsking] = useState(false);
  async function erase(): Promise<void> {
    let erased = 0;
    for (let hasMore = true; hasMore; ) {
      const done = await call<SubjectErasure>('POST', '/subjects/erase', { body: { subject } });
      erased += done.erased;
      hasMore = done.has_more;
    }
    announce(`${plural(erased, 'record')} had the subject, and no longer have it.`);
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
