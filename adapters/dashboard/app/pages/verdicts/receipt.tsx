import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { VerdictReceipt } from '../../../../../src/types.ts';
import { saveFile } from '../../parts/save-file.ts';
import { FailureNote } from '../../parts/states.tsx';
import { call, queryOf } from '../../state/api.ts';
import type { RecordName } from '../../state/record.ts';
import { useTask } from '../../state/task.ts';
import { count } from '../../text/words.ts';

/** Gets the receipt of a verdict from the log, and says how many verdicts it discloses before it is saved. */
export function Receipt({ name }: { name: RecordName }): JSX.Element {
  const { decision_id, evaluated_at } = name;
  const [receipt, setReceipt] = useState<VerdictReceipt>();
  const task = useTask();
  async function get(): Promise<void> {
    const path = `/verifications/${encodeURIComponent(decision_id)}/receipt${queryOf({ evaluated_at })}`;
    setReceipt(await call<VerdictReceipt>('GET', path));
  }
  return (
    <div class="stack start">
      <button type="button" class="button" aria-busy={task.isRunning} onClick={() => task.run(get)}>
        Receipt
      </button>
      <FailureNote failure={task.failure} />
      <div class="stack" role="status">
        {receipt !== undefined && (
          <>
            <p class={receipt.discloses > 1 ? 'note wait' : 'note'}>{disclosed(receipt)}</p>
            <button
              type="button"
              class="button"
              onClick={() => saveFile(`${decision_id}.json`, new Blob([JSON.stringify(receipt)]))}
            >
              Download the receipt
            </button>
          </>
        )}
      </div>
    </div>
  );
}

function disclosed({ discloses }: VerdictReceipt): string {
  return discloses === 1
    ? 'The receipt discloses this verdict alone.'
    : `The receipt discloses ${count(discloses)} verdicts: give it only to those who may see them all.`;
}
