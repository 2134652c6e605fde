import type { JSX } from 'preact';
import type { BudgetList, BudgetReport, EffectivePassport } from '../../../../../src/types.ts';
import { Shown } from '../../parts/states.tsx';
import { type Column, Facts, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { linesOfPaces } from '../../text/budget-lines.ts';
import { conditionSentence, orderSentence } from '../../text/condition-sentences.ts';
import { amountText, money, plural } from '../../text/words.ts';
import { Entries, plainRows } from './entries.tsx';

export function Effective({ id }: { id: string }): JSX.Element {
  const path = `/passports/${encodeURIComponent(id)}/effective`;
  const effective = useLoad(path, (signal) => call<EffectivePassport>('GET', path, { signal }));
  return (
    <section class="part">
      <h2>In effect</h2>
      <p class="lead under">The intents that its passport and all parent passports allow.</p>
      <Shown of={effective} rows={4}>
        {(found) => <Facts rows={factsOf(found)} />}
      </Shown>
    </section>
  );
}

function factsOf(found: EffectivePassport): readonly (readonly [string, JSX.Element | string])[] {
  const { budgets = [], conditions = [], pace = [], order = [], currency, not_before, expires_at } = found;
  return [
    ['Above it', <Entries key="p" of={found.ancestors} />],
    ['Status', <Status key="s" value={found.status} />],
    ['Allowed actions', <Entries key="a" of={found.allowed_actions} />],
    ['Limit per transaction', money(found.monetary_limit_per_txn, currency ?? 'in any currency')],
    ['Must carry an amount', <Entries key="m" of={found.monetary_actions} />],
    ...plainRows(found),
    ['Conditions', <Entries key="c" of={conditions.map(conditionSentence)} />],
    [
      'Pace',
      <Entries key="r" of={pace.map(({ agent_id, ...one }) => `${linesOfPaces([one])}, of ${agent_id}`)} />,
    ],
    ['Order', <Entries key="o" of={order.map(orderSentence)} />],
    ['Valid from', not_before ? <Time key="f" at={not_before} /> : 'since it was issued'],
    ['Valid until', expires_at ? <Time key="u" at={expires_at} /> : 'no end'],
    ['Proof of possession', found.proof ?? 'optional'],
    [
      'Budgets',
      <Entries
        key="b"
        of={budgets.map(({ agent_id, name, limit, unit, count, window }) => {
          const size = limit === undefined ? plural(count ?? 0, 'time') : money(limit, unit ?? currency);
          return `${name}: ${size} ${PER[window]}, of ${agent_id}`;
        })}
      />,
    ],
  ];
}

const PER: Readonly<Record<BudgetReport['window'], string>> = {
  hour: 'an hour',
  day: 'a day',
  week: 'a week',
  month: 'a month',
  year: 'a year',
  lifetime: 'in all',
  rolling_hour: 'in any hour',
  rolling_day: 'in any day',
  rolling_week: 'in any 7 days',
  rolling_month: 'in any 30 days',
};

export function Budgets(props: { id: string; currency: string | undefined }): JSX.Element {
  const { id, currency } = props;
  const path = `/passports/${encodeURIComponent(id)}/budgets`;
  const budgets = useLoad(path, (signal) => call<BudgetList>('GET', path, { signal }));
  const shown = ({ count, unit }: BudgetReport, value: string | number | null): string =>
    count === null ? amountText(value, unit ?? currency) : `${value}`;
  const columns: readonly Column<BudgetReport>[] = [
    {
      title: 'Budget',
      cell: (budget) => (
        <>
          <span class="name">{budget.name}</span>
          <span class="sub">
            {budget.count === null
              ? money(budget.limit, budget.unit ?? currency)
              : plural(budget.count, 'time')}{' '}
            {PER[budget.window]}
          </span>
          <meter
            min={0}
            max={Number(budget.limit ?? budget.count)}
            value={Number(budget.spent) + Number(budget.held)}
            aria-label={`Spent and held of ${budget.name}`}
          />
        </>
      ),
    },
    { title: 'Spent', cell: (budget) => shown(budget, budget.spent), isNumber: true },
    { title: 'Held', cell: (budget) => shown(budget, budget.held), isNumber: true, isWide: true },
    { title: 'Left', cell: (budget) => shown(budget, budget.remaining), isNumber: true },
    {
      title: 'Resets',
      cell: ({ resets_at }) => (resets_at === null ? 'never' : <Time at={resets_at} />),
      isWide: true,
    },
  ];
  return (
    <Shown of={budgets} rows={2}>
      {({ data }) => <Table caption="Budgets" columns={columns} rows={data} idOf={({ name }) => name} />}
    </Shown>
  );
}
