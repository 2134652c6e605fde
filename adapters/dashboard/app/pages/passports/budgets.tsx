import type { JSX } from 'preact';
import type { BudgetList, BudgetReport } from '../../../../../src/types.ts';
import { Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { amountText, money, plural } from '../../text/words.ts';

/** The period of each kind of window, to put after the size of a budget. */
export const PER: Readonly<Record<BudgetReport['window'], string>> = {
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

/** Shows how much of each budget is spent, held and left in its present window, for the live environment. */
export function Budgets(props: { id: string; currency: string | undefined }): JSX.Element {
  const { id, currency } = props;
  const path = `/passports/${encodeURIComponent(id)}/budgets`;
  const budgets = useLoad(path, (signal) => call<BudgetList>('GET', path, { signal }));
  const shown = ({ count }: BudgetReport, value: string | number | null): string =>
    count === null ? amountText(value, currency) : `${value}`;
  const columns: readonly Column<BudgetReport>[] = [
    {
      title: 'Budget',
      cell: (budget) => (
        <>
          <span class="name">{budget.name}</span>
          <span class="sub">
            {budget.count === null ? money(budget.limit, currency) : plural(budget.count, 'time')}{' '}
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
      title: 'Begins anew',
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
