import type { ComponentChildren, JSX } from 'preact';
import { plural } from '../text/words.ts';

/**
 * A column of a table. A narrow window hides `isWide` columns, and hides `isWidest` columns sooner. The page of the
 * record shows all.
 */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
  readonly isWide?: boolean;
  readonly isWidest?: boolean;
}

export function Table<T>(props: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  isStacked?: boolean;
}): JSX.Element {
  const { caption, columns, rows, idOf, isStacked = false } = props;
  const classOf = ({ isNumber, isWide, isWidest }: Column<T>): string =>
    [isNumber && 'number', isWide && 'wide', isWidest && 'widest'].filter(Boolean).join(' ');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <section class="scroll" tabIndex={0} aria-label={caption}>
      <table class={isStacked ? 'stacked' : ''}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Fact = readonly [name: string, value: ComponentChildren];

export function Facts(props: { rows: readonly Fact[]; folds?: boolean }): JSX.Element {
  const { rows, folds = false } = props;
  const empty = folds ? rows.filter(([, value]) => isEmpty(value)) : [];
  if (empty.length === 0) return <FactList rows={rows} />;
  return (
    <>
      <FactList rows={rows.filter((row) => !empty.includes(row))} />
      <details class="gap">
        <summary>{plural(empty.length, 'empty field')}</summary>
        <FactList rows={empty} />
      </details>
    </>
  );
}

function isEmpty(value: ComponentChildren): boolean {
  return value === null || value === undefined || value === '' || value === false || value === 0;
}

function FactList({ rows }: { rows: readonly Fact[] }): JSX.Element {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isEmpty(value) ? <span class="quiet">none</span> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
