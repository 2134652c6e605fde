import type { JSX } from 'preact';
import type { LogOverview } from '../../../../../src/types.ts';
import { CodeBlock } from '../../parts/copy.tsx';
import { Shown } from '../../parts/states.tsx';
import { Facts } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { count, plural } from '../../text/words.ts';

/** Shows the log of the account: off, or its size, what waits, its last checkpoint, and the key that verifies it. */
export function LogCard(): JSX.Element {
  const loaded = useLoad('log', (signal) => call<LogOverview>('GET', '/log', { signal }));
  return (
    <section class="part">
      <h2>Log</h2>
      {loaded.failure?.status === 404 ? (
        <p class="quiet">
          Off, or without a leaf yet. With the log on (<code>serve --evidence-log</code>), a checkpoint that
          was kept shows whether the past was changed.
        </p>
      ) : (
        <Shown of={loaded} rows={4}>
          {(log) => <State log={log} />}
        </Shown>
      )}
    </section>
  );
}

function State({ log }: { log: LogOverview }): JSX.Element {
  const { size, pending, oldest_pending_at, checkpoint, keys, earlier } = log;
  return (
    <div class="stack">
      <p>
        Give the key and the checkpoint to a party outside of your team: they show whether the past was
        changed.
      </p>
      <Facts
        rows={[
          ['Leaves', count(size)],
          ['Without a leaf yet', pending === 0 ? 'nothing' : count(pending)],
          ['The oldest of it', oldest_pending_at && <Time key="o" at={oldest_pending_at} ago />],
          ...(earlier.length > 0 ? [['Ended before', plural(earlier.length, 'log')] as const] : []),
        ]}
      />
      {keys.map(({ key, retired_at }) => (
        <CodeBlock key={key} label={retired_at === null ? 'Key' : 'Earlier key'} code={key} />
      ))}
      <CodeBlock label="Last checkpoint" code={checkpoint} />
    </div>
  );
}
