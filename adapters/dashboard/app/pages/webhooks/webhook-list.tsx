import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Webhook } from '../../../../../src/types.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { usePages } from '../../state/pages.ts';
import { may } from '../../state/rights.ts';
import { href } from '../../state/route.ts';
import { CreateWebhook } from './webhook-form.tsx';

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: 'URL',
    cell: ({ id, url, description }) => (
      <>
        <a class="name clip" href={href(['webhooks', id])}>
          {url}
        </a>
        {description !== null && (
          <span class="sub" dir="auto">
            {description}
          </span>
        )}
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  { title: 'Events', cell: ({ types }) => types.join(', '), isWide: true },
  {
    title: 'Last success',
    cell: ({ last_success_at }) =>
      last_success_at === null ? <span class="quiet">never</span> : <Time at={last_success_at} ago />,
    isWide: true,
  },
  {
    title: 'Last failure',
    cell: ({ last_failure_at }) =>
      last_failure_at === null ? <span class="quiet">never</span> : <Time at={last_failure_at} ago />,
    isWide: true,
  },
];

export function WebhookList(): JSX.Element {
  const [isCreating, setCreating] = useState(false);
  const pages = usePages<Webhook>('/webhooks');
  const isOff = pages.loaded.failure?.status === 404;
  const create = may('POST /webhooks') && (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      Add webhook
    </button>
  );
  return (
    <Page
      title="Webhooks"
      lead="Webhooks send the events of the account to your servers."
      {...(!isOff && { actions: create })}
    >
      {isOff ? (
        <Empty title="This service sends no webhooks." />
      ) : (
        <Shown of={pages.loaded}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <Empty title="There is no webhook yet.">
                <p>Add a webhook to hear of revoked passports, new keys or denied verdicts.</p>
              </Empty>
            ) : (
              <Table caption="Webhooks" columns={COLUMNS} rows={webhooks} idOf={({ id }) => id} />
            )
          }
        </Shown>
      )}
      <More pages={pages} />
      {isCreating && <CreateWebhook onCreated={pages.loaded.reload} onClose={() => setCreating(false)} />}
    </Page>
  );
}
