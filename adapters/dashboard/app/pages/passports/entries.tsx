import type { JSX } from 'preact';
import type { Passport } from '../../../../../src/index.ts';
import { PASSPORT_LABELS } from '../../../../../src/schema/passport-words.ts';
import { Breaks } from '../../parts/breaks.tsx';
import { More, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Status } from '../../parts/verdict.tsx';
import { queryOf } from '../../state/api.ts';
import { usePages } from '../../state/pages.ts';
import { may } from '../../state/rights.ts';
import { href } from '../../state/route.ts';
import { PLAIN_FIELDS, textOf } from '../../text/passport-fields.ts';
import { linesOf, money } from '../../text/words.ts';

export function Entries({ of }: { of: readonly string[] | undefined }): JSX.Element {
  if (of === undefined || of.length === 0) return <span class="quiet">none</span>;
  return (
    <ul class="entries">
      {of.map((entry) => (
        <li key={entry}>
          <code>{entry}</code>
        </li>
      ))}
    </ul>
  );
}

/** Returns the rows of the page for the fields in `PASSPORT_LABELS`. */
export function plainRows(passport: Partial<Passport>): readonly (readonly [string, JSX.Element | string])[] {
  return PLAIN_FIELDS.map((name) => {
    const { label, absent } = PASSPORT_LABELS[name];
    const isAbsent = passport[name] === undefined && absent;
    return [label, isAbsent || <Entries key={name} of={linesOf(textOf(passport, name))} />];
  });
}

export function AgentLink({ id }: { id: string }): JSX.Element {
  return (
    <a dir="auto" class="break" href={href(['passports', id])}>
      <Breaks of={id} />
    </a>
  );
}

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

export function ChildAgents(props: { id: string; mayHaveMore: boolean }): JSX.Element {
  const { id, mayHaveMore } = props;
  const pages = usePages<Passport>(`/passports${queryOf({ parent_agent_id: id })}`);
  return (
    <section class="part">
      <h2>Child agents</h2>
      <Shown of={pages.loaded} rows={1}>
        {(children) =>
          children.length === 0 ? (
            <p class="quiet">This agent has no child agents.</p>
          ) : (
            <Table
              caption="Child agents"
              columns={COLUMNS}
              rows={children}
              idOf={({ agent_id }) => agent_id}
            />
          )
        }
      </Shown>
      <More pages={pages} />
      {mayHaveMore && may('POST /passports') && (
        <p class="foot">
          <a class="button" href={href(['passports', 'new'], { parent_agent_id: id })}>
            Issue a child agent
          </a>
        </p>
      )}
    </section>
  );
}
