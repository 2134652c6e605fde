import type { JSX } from 'preact';
import type { Webhook, WebhookDelivery } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { Breaks } from '../../parts/breaks.tsx';
import { Empty, FailureNote, More, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { call } from '../../state/api.ts';
import { usePages } from '../../state/pages.ts';
import { may } from '../../state/rights.ts';
import { useTask } from '../../state/task.ts';
import { count } from '../../text/words.ts';

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    title: 'Event',
    cell: ({ event_type, event_id }) => (
      <>
        <Breaks of={event_type} />
        <code class="sub">{event_id}</code>
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    title: 'Answer',
    cell: ({ http_status, attempt }) =>
      http_status ?? <span class="quiet">{attempt === 0 ? 'not yet' : 'none'}</span>,
    isNumber: true,
    isWide: true,
  },
  {
    title: 'Time',
    cell: ({ duration_ms }) => (duration_ms === null ? '' : `${count(duration_ms)} ms`),
    isNumber: true,
    isWide: true,
  },
  { title: 'Attempts', cell: ({ attempt }) => count(attempt), isNumber: true, isWide: true },
  {
    title: 'Next attempt',
    cell: ({ next_attempt_at }) => next_attempt_at && <Time at={next_attempt_at} />,
    isWide: true,
  },
  { title: 'Created', cell: ({ created_at }) => <Time at={created_at} ago />, isWide: true },
];

const RESEND = 'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver';

export function Deliveries({ webhook, onSent }: { webhook: Webhook; onSent: () => void }): JSX.Element {
  const path = `/webhooks/${webhook.id}/deliveries`;
  const pages = usePages<WebhookDelivery>(path);
  const task = useTask();
  const reload = (): void => {
    pages.loaded.reload();
    onSent();
  };
  async function test(): Promise<void> {
    const { delivery } = await call<{ delivery: WebhookDelivery }>('POST', `/webhooks/${webhook.id}/test`);
    const { status, http_status } = delivery;
    announce(
      status === 'delivered' ? 'The test arrived.' : `The test failed: ${http_status ?? 'no answer'}.`,
    );
    reload();
  }
  const againColumn: Column<WebhookDelivery> = {
    title: 'Resend',
    cell: ({ id, event_type }) => (
      <button
        type="button"
        class="button small"
        disabled={webhook.status === 'disabled'}
        aria-label={`Resend ${event_type}`}
        onClick={() =>
          task.run(async () => {
            await call('POST', `${path}/${id}/redeliver`);
            announce('It is sent again.');
            reload();
          })
        }
      >
        Resend
      </button>
    ),
  };
  return (
    <section class="part">
      <div class="part-head">
        <h2>Deliveries</h2>
        <div class="actions">
          <button type="button" class="button small" onClick={reload}>
            Refresh
          </button>
          {may('POST /webhooks/{id}/test') && (
            <button
              type="button"
              class="button small"
              aria-busy={task.isRunning}
              onClick={() => task.run(test)}
            >
              Send a test
            </button>
          )}
        </div>
      </div>
      <FailureNote failure={task.failure} />
      <Shown of={pages.loaded}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <Empty title="Nothing was sent yet." />
          ) : (
            <Table
              caption="Deliveries"
              columns={may(RESEND) ? [...COLUMNS, againColumn] : COLUMNS}
              rows={deliveries}
              idOf={({ id }) => id}
            />
          )
        }
      </Shown>
      <More pages={pages} />
    </section>
  );
}
