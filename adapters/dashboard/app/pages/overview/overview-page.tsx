import type { ComponentChildren, JSX } from 'preact';
import type { Analytics, ApiKey, VerdictRecord } from '../../../../../src/types.ts';
import { Codes } from '../../parts/breaks.tsx';
import { Page } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { useLoad } from '../../state/load.ts';
import { recordHref } from '../../state/record.ts';
import { href } from '../../state/route.ts';
import { count, plural, shortAgent } from '../../text/words.ts';
import { Completeness } from '../analytics/completeness.tsx';
import { FirstRun } from './first-run.tsx';
import { loadShot, type Shot } from './shot.ts';

const DENIALS: readonly Column<VerdictRecord>[] = [
  {
    title: 'Action',
    cell: (record) => (
      <>
        <a class="name clip" href={recordHref(record)} dir="auto">
          {record.action}
        </a>
        <span class="sub" dir="auto">
          {shortAgent(record.agent_id)}
        </span>
      </>
    ),
  },
  {
    title: 'Reasons',
    cell: ({ reasons }) => <Codes reasons={reasons} />,
  },
  { title: 'Time', cell: ({ evaluated_at }) => <Time at={evaluated_at} ago />, isWide: true },
];

const IDLE_KEYS: readonly Column<ApiKey>[] = [
  {
    title: 'Key',
    cell: ({ id, name }) => (
      <a class="name clip" href={href(['keys', id])} dir="auto">
        {name}
      </a>
    ),
  },
  {
    title: 'Last used',
    cell: ({ last_used_at }) =>
      last_used_at === null ? <span class="quiet">never</span> : <Time at={last_used_at} ago />,
  },
];

export function OverviewPage(): JSX.Element {
  const shot = useLoad<Shot>('overview', loadShot);
  return (
    <Page title="Overview">
      <Shown of={shot} rows={12}>
        {(data) =>
          data.first.hasVerdict ? (
            <Standing shot={data} />
          ) : (
            <FirstRun passport={data.first.passport} hasKey={data.first.hasKey} onDone={shot.reload} />
          )
        }
      </Shown>
    </Page>
  );
}

function Standing({ shot }: { shot: Shot }): JSX.Element {
  const { analytics, account, approvals, denials, idleKeys } = shot;
  return (
    <>
      {analytics && <Completeness analytics={analytics} bornAt={account.created_at} />}
      {approvals.data.length > 0 && (
        <p class="note wait only">
          <a href={href(['approvals'])}>
            {approvals.has_more && 'More than '}
            {plural(approvals.data.length, 'intent')}
          </a>{' '}
          {approvals.data.length === 1 ? 'waits' : 'wait'} for a person.
        </p>
      )}
      {analytics && <Sums of={analytics.overview} />}
      <section class="part">
        <h2>Newest denials</h2>
        {denials.length === 0 ? (
          <p class="quiet">Nothing was denied.</p>
        ) : (
          <Table caption="Newest denials" columns={DENIALS} rows={denials} idOf={(row) => row.decision_id} />
        )}
      </section>
      <section class="part">
        <h2>Keys unused for 30 days</h2>
        {idleKeys.length === 0 ? (
          <p class="quiet">None.</p>
        ) : (
          <>
            <p class="lead under">Revoke the keys that you no longer need.</p>
            <Table
              caption="Keys unused for 30 days"
              columns={IDLE_KEYS}
              rows={idleKeys}
              idOf={({ id }) => id}
            />
          </>
        )}
      </section>
    </>
  );
}

function Sums({ of }: { of: Analytics['overview'] }): JSX.Element {
  const { active_agents, suspended_agents, revoked_agents, total_agents, allowed, denied } = of;
  const agents: readonly (readonly [string, number])[] = [
    ['active', active_agents],
    ['suspended', suspended_agents],
    ['revoked', revoked_agents],
    ['expired', total_agents - active_agents - suspended_agents - revoked_agents],
  ];
  return (
    <>
      <section class="part">
        <h2>Live verdicts today</h2>
        <Tiles name="Live verdicts today">
          <Tile name="ALLOW" value={count(allowed)} link={href(['verdicts'], { verdict: 'ALLOW' })} />
          <Tile name="DENY" value={count(denied)} link={href(['verdicts'], { verdict: 'DENY' })} />
        </Tiles>
      </section>
      <section class="part">
        <h2>Agents</h2>
        <Tiles name="Agents by status">
          {agents.map(([status, value]) => (
            <Tile
              key={status}
              name={<Status value={status} />}
              value={count(value)}
              link={href(['passports'], { status })}
            />
          ))}
        </Tiles>
      </section>
    </>
  );
}

export function Tiles({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <ul class="tiles" aria-label={name}>
      {children}
    </ul>
  );
}

export function Tile(props: {
  name: ComponentChildren;
  value: string;
  note?: string;
  link?: string;
}): JSX.Element {
  const { name, value, note, link } = props;
  return (
    <li class="tile">
      <span>{link === undefined ? name : <a href={link}>{name}</a>}</span>
      <strong>{value}</strong>
      {note !== undefined && <span class="hint">{note}</span>}
    </li>
  );
}
