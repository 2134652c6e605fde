import type { JSX } from 'preact';
import type { TopEntry } from '../../../../../src/types.ts';
import { Breaks } from '../../parts/breaks.tsx';
import { Table } from '../../parts/table.tsx';
import { count, shortAgent } from '../../text/words.ts';

export function Ranking(props: {
  title: string;
  column: string;
  rows: readonly TopEntry[];
  none?: string;
  linkOf?: (key: string) => string | undefined;
}): JSX.Element {
  const { title, column, rows, none = 'None.', linkOf } = props;
  const nameOf = ({ key }: TopEntry): JSX.Element => {
    if (key === 'other') return <span class="quiet">all others</span>;
    const link = linkOf?.(key);
    return link === undefined ? (
      <span dir="auto">
        <Breaks of={key} />
      </span>
    ) : (
      <a href={link} dir="auto">
        <Breaks of={shortAgent(key)} />
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
