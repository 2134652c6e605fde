import type { JSX } from 'preact';
import { Codes } from '../../parts/breaks.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { VerdictMark } from '../../parts/verdict.tsx';
import type { ShownVerdict } from '../../state/record.ts';
import { href } from '../../state/route.ts';
import { money, OUTCOMES, shortAgent } from '../../text/words.ts';

export function VerdictTable(props: {
  rows: readonly ShownVerdict[];
  keyNames: ReadonlyMap<string, string>;
  onOpen: (record: ShownVerdict) => void;
}): JSX.Element {
  const columns: readonly Column<ShownVerdict>[] = [
    {
      title: 'Action',
      cell: (record) => (
        <>
          <button type="button" class="link name clip" dir="auto" onClick={() => props.onOpen(record)}>
            {record.action}
          </button>
          <span class="sub" dir="auto">
            {shortAgent(record.agent_id)}
          </span>
        </>
      ),
    },
    {
      title: 'Verdict',
      cell: ({ verdict, dry_run, outcome, verifier, key_id }) => (
        <>
          <VerdictMark value={verdict} />
          {outcome && <span class={`sub outcome ${outcome.outcome}`}>{OUTCOMES[outcome.outcome]}</span>}
          {dry_run && <span class="sub">dry run</span>}
          {verifier && (
            <span class="sub">
              decided by {verifier} with key {props.keyNames.get(key_id ?? '') ?? key_id}
            </span>
          )}
        </>
      ),
    },
    {
      title: 'Time, key',
      cell: ({ evaluated_at, key_id }) => (
        <>
          <Time at={evaluated_at} seconds />
          {key_id && (
            <a class="sub narrow" dir="auto" href={href(['keys', key_id])}>
              {props.keyNames.get(key_id) ?? key_id}
            </a>
          )}
        </>
      ),
      isWide: true,
    },
    {
      title: 'Target',
      cell: ({ target }) =>
        target && (
          <span class="clip narrow" dir="auto">
            {target}
          </span>
        ),
      isWidest: true,
    },
    {
      title: 'Amount',
      cell: ({ amount, currency }) => money(amount, currency),
      isNumber: true,
      isWide: true,
    },
    {
      title: 'Reasons',
      cell: ({ reasons }) => <Codes reasons={reasons} />,
    },
  ];
  return (
    <Table
      isStacked
      caption="Verdicts"
      columns={columns}
      rows={props.rows}
      idOf={({ decision_id }) => decision_id}
    />
  );
}
