import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AccountOverview, ApiKey } from '../../../../../src/types.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { usePages } from '../../state/pages.ts';
import { may } from '../../state/rights.ts';
import { href } from '../../state/route.ts';
import { scopesText } from '../../text/scopes.ts';
import { count, plural } from '../../text/words.ts';
import { CreateKey } from './create-key.tsx';

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    title: 'Name',
    cell: ({ id, name, start }) => (
      <>
        <a class="name clip" href={href(['keys', id])} dir="auto">
          {name}
        </a>
        <code class="sub">{start}…</code>
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  { title: 'Environment', cell: ({ environment }) => environment, isWidest: true },
  { title: 'Scopes', cell: ({ scopes }) => scopesText(scopes), isWide: true },
  {
    title: 'Agents',
    cell: ({ agent_ids }) => (agent_ids === null ? 'all' : count(agent_ids.length)),
    isWidest: true,
  },
  { title: 'Created', cell: ({ created_at }) => <Time at={created_at} ago />, isWidest: true },
  {
    title: 'Last used',
    cell: ({ last_used_at }) =>
      last_used_at === null ? <span class="quiet">never</span> : <Time at={last_used_at} ago />,
    isWide: true,
  },
  {
    title: 'Expires',
    cell: ({ expires_at }) =>
      expires_at === null ? <span class="quiet">never</span> : <Time at={expires_at} ago />,
    isWide: true,
  },
];

export function KeyList(): JSX.Element {
  const [isCreating, setCreating] = useState(false);
  const pages = usePages<ApiKey>('/keys');
  const account = useLoad('account', (signal) => call<AccountOverview>('GET', '/account', { signal }));
  function renew(): void {
    pages.loaded.reload();
    account.reload();
  }
  const create = may('POST /keys') && (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      Create key
    </button>
  );
  return (
    <Page
      title="API Keys"
      lead="Applications use API keys to ask for the verdicts of their agents."
      actions={create}
    >
      <KeyCount account={account.data} />
      <Shown of={pages.loaded}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty title="There is no key yet.">
              <p>Create an API key, and ask for a first verdict with it.</p>
            </Empty>
          ) : (
            <Table caption="API keys" columns={COLUMNS} rows={keys} idOf={({ id }) => id} />
          )
        }
      </Shown>
      <More pages={pages} />
      {isCreating && <CreateKey onCreated={renew} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function KeyCount({ account }: { account: AccountOverview | undefined }): JSX.Element {
  const active = account?.usage.active_keys;
  const limit = account?.limits.keys ?? null;
  return (
    <p class="key-count">
      <strong>{active === undefined ? '–' : count(active)}</strong>{' '}
      {limit === null
        ? `active ${active === 1 ? 'key' : 'keys'}`
        : `of ${plural(limit, 'active key')} on the ${account?.plan} plan`}
      {limit !== null && active !== undefined && (
        <meter min={0} max={limit} value={active} aria-label="Active keys of the plan" />
      )}
    </p>
  );
}
