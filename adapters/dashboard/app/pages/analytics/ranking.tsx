import type { JSX } from 'preact';
import type { TopEntry } from '../../../../../src/types.ts';
import { Table } from '../../parts/table.tsx';
import { count, shortAgent } from '../../text/words.ts';

/** The names that occurred most. */
export function Ranking(props: {
  title: string;
  column: string;
  rows: readonly TopEntry[];
  none?: string;
  linkOf?: (key: string) => string | undefined;
}): JSX.Element {
  const { title, column, rows, none = 'None.', linkOf } = props;
  const nameOf = ({ key }: TopEntry): JSX.Element => {
    const link = linkOf?.(key);
    if (key === 'other') return <span class="quiet">all others</span>;
    return link === undefined ? (
      <span dir="auto">{key}</span>
    ) : (
      <a href={link} title={key.slice(0, 512)} dir="auto">
        {shortAgent(key)}
      </a>
    );
  };
  return (
    <section class="ranking">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <Table
          caption={title}
          columns={[
            { title: column, cell: nameOf },
            { title: 'Verdicts', cell: (row) => count(row.count), isNumber: true },
          ]}
          rows={rows}
          idOf={({ key }) => key}
        />
      )}
    </section>
  );
}
