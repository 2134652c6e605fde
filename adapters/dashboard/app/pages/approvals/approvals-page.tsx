import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Approval } from '../../../../../src/types.ts';
import { Breaks } from '../../parts/breaks.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { queryOf } from '../../state/api.ts';
import { useLive } from '../../state/live.ts';
import { usePages } from '../../state/pages.ts';
import { go, href, route, setQuery } from '../../state/route.ts';
import { peopleOf, subjectOf } from '../../text/approvals.ts';
import { moneyIn } from '../../text/intent.ts';
import { shortAgent } from '../../text/words.ts';
import { ApprovalDetail } from './approval-detail.tsx';

const STATUSES = [
  ['pending', 'Waiting for a person'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['used', 'Used'],
  ['expired', 'Expired'],
  ['any', 'Any'],
] as const;

export function ApprovalsPage(): JSX.Element {
  const { query } = route.value;
  const status = query.get('status') || 'pending';
  const agent_id = query.get('agent_id') ?? '';
  const openedId = query.get('approval') ?? '';
  const filter = queryOf({ status: status === 'any' ? '' : status, agent_id });
  const pages = usePages<Approval>(`/approvals${filter}`);
  const { data } = pages.loaded;
  const waiting = status === 'pending' && data ? countOf(data.length, pages.hasMore) : '';
  const [knownApproval, setKnown] = useState<Approval>();
  useLive(true, queryOf({ types: 'approval.*' }), ({ type }) => {
    if (type.startsWith('approval.')) pages.loaded.reload();
  });
  return (
    <Page
      title="Approvals"
      count={waiting}
      lead="Intents and passport changes that people approve or reject."
    >
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <SelectField
          label="Status"
          value={status}
          onValue={(value) => setQuery({ status: value })}
          options={STATUSES}
        />
      </form>
      {agent_id !== '' && (
        <p class="only">
          Only{' '}
          <code>
            <Breaks of={agent_id} />
          </code>{' '}
          <a class="button small" href={href(['approvals'], { status })}>
            Show every agent
          </a>
        </p>
      )}
      <Shown of={pages.loaded}>
        {(approvals) =>
          approvals.length > 0 ? (
            <List
              rows={approvals}
              onOpen={(approval) => {
                setKnown(approval);
                go(['approvals'], { ...Object.fromEntries(query), approval: approval.id });
              }}
            />
          ) : (
            <Empty title={status === 'pending' ? 'No agent waits for a person.' : 'No approval matches.'}>
              {status === 'pending' && (
                <p>A passport says which amounts and actions need an approval, under “Ask a person”.</p>
              )}
            </Empty>
          )
        }
      </Shown>
      <More pages={pages} />
      {openedId !== '' && (
        <ApprovalDetail
          key={openedId}
          id={openedId}
          known={knownApproval?.id === openedId ? knownApproval : undefined}
          onDecided={pages.loaded.reload}
          onClose={() => (knownApproval?.id === openedId ? history.back() : setQuery({ approval: '' }))}
        />
      )}
    </Page>
  );
}

function countOf(length: number, hasMore: boolean): string {
  return length === 0 ? '' : `${length}${hasMore ? '+' : ''}`;
}

function List(props: { rows: readonly Approval[]; onOpen: (approval: Approval) => void }): JSX.Element {
  const columns: readonly Column<Approval>[] = [
    {
      title: 'Action',
      cell: (approval) => (
        <>
          <button type="button" class="link name clip" dir="auto" onClick={() => props.onOpen(approval)}>
            {subjectOf(approval)}
          </button>
          <span class="sub" dir="auto">
            {shortAgent(approval.agent_id)}
          </span>
        </>
      ),
    },
    { title: 'Amount', cell: ({ intent }) => moneyIn(intent), isNumber: true },
    {
      title: 'Target',
      cell: ({ intent }) =>
        intent?.target && (
          <span class="clip narrow" dir="auto">
            {intent.target}
          </span>
        ),
      isWidest: true,
    },
    {
      title: 'Status',
      cell: (approval) => (
        <>
          <Status value={approval.status} />
          {peopleOf(approval) !== '' && <span class="sub">{peopleOf(approval)}</span>}
          {approval.environment === 'test' && <span class="sub">test</span>}
        </>
      ),
    },
    { title: 'Asked', cell: ({ created_at }) => <Time at={created_at} ago />, isWidest: true },
    { title: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} ago />, isWide: true },
  ];
  return <Table isStacked caption="Approvals" columns={columns} rows={props.rows} idOf={({ id }) => id} />;
}
