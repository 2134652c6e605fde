import type { JSX } from 'preact';
import type { Passport } from '../../../../../src/index.ts';
import type { EffectivePassport } from '../../../../../src/types.ts';
import { More } from '../../parts/more.tsx';
import { Shown } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, Facts, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { call, queryOf } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { usePages } from '../../state/pages.ts';
import { may } from '../../state/rights.ts';
import { href } from '../../state/route.ts';
import { conditionSentence } from '../../text/condition-sentences.ts';
import { money, plural } from '../../text/words.ts';
import { PER } from './budgets.tsx';
import { AgentLink, Entries } from './entries.tsx';

const COLUMNS: readonly Column<Passport>[] = [
  { title: 'Agent', cell: ({ agent_id }) => <AgentLink id={agent_id} /> },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    title: 'Limit',
    cell: ({ monetary_limit_per_txn, currency }) => money(monetary_limit_per_txn, currency),
    isNumber: true,
    isWide: true,
  },
];

/** Shows the helpers of this agent, and the button to issue another. */
export function Helpers(props: { id: string; mayHaveMore: boolean }): JSX.Element {
  const { id, mayHaveMore } = props;
  const pages = usePages<Passport>(`/passports${queryOf({ parent_agent_id: id })}`);
  return (
    <section class="part">
      <h2>Helpers</h2>
      <Shown of={pages.loaded} rows={1}>
        {(helpers) =>
          helpers.length === 0 ? (
            <p class="quiet">No agent helps this one.</p>
          ) : (
            <Table caption="Helpers" columns={COLUMNS} rows={helpers} idOf={({ agent_id }) => agent_id} />
          )
        }
      </Shown>
      <More pages={pages} />
      {mayHaveMore && may('POST /passports') && (
        <p class="foot">
          <a class="button" href={href(['passports', 'new'], { parent_agent_id: id })}>
            Issue a helper
          </a>
        </p>
      )}
    </section>
  );
}

/** Shows the effective passport of a helper: the limits of its own passport and of all passports above it. */
export function Effective({ id }: { id: string }): JSX.Element {
  const path = `/passports/${encodeURIComponent(id)}/effective`;
  const effective = useLoad(path, (signal) => call<EffectivePassport>('GET', path, { signal }));
  return (
    <section class="part">
      <h2>In effect</h2>
      <p class="lead under">What its passport and all those above it allow together.</p>
      <Shown of={effective} rows={4}>
        {(found) => <Facts rows={factsOf(found)} />}
      </Shown>
    </section>
  );
}

function factsOf(found: EffectivePassport): readonly (readonly [string, JSX.Element | string])[] {
  const { allowed_targets, budgets = [], conditions = [], currency, not_before, expires_at } = found;
  return [
    ['Above it', <Entries key="p" of={found.ancestors} />],
    ['Status', <Status key="s" value={found.status} />],
    ['Allowed actions', <Entries key="a" of={found.allowed_actions} />],
    ['Limit per transaction', money(found.monetary_limit_per_txn, currency ?? 'in any currency')],
    ['Must carry an amount', <Entries key="m" of={found.monetary_actions} />],
    ['Denied actions', <Entries key="d" of={found.denied_actions} />],
    ['Allowed targets', allowed_targets ? <Entries key="t" of={allowed_targets} /> : 'any'],
    [
      'Conditions',
      <Entries
        key="c"
        of={conditions.map(({ agent_id, ...condition }) => `${conditionSentence(condition)}, of ${agent_id}`)}
      />,
    ],
    ['Valid from', not_before ? <Time key="f" at={not_before} /> : 'since it was issued'],
    ['Valid until', expires_at ? <Time key="u" at={expires_at} /> : 'no end'],
    ['Proof of possession', found.proof ?? 'optional'],
    [
      'Budgets',
      <Entries
        key="b"
        of={budgets.map(({ agent_id, name, limit, count, window }) => {
          const size = limit === undefined ? plural(count ?? 0, 'time') : money(limit, currency);
          return `${name}: ${size} ${PER[window]}, of ${agent_id}`;
        })}
      />,
    ],
  ];
}
