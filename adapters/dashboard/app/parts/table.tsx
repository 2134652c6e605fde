import type { ComponentChildren, JSX } from 'preact';

/**
 * A column; `isWide` ones are left out in a narrow window, `isWidest` ones sooner. What is left out stands on the
 * page of the record.
 */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
  readonly isWide?: boolean;
  readonly isWidest?: boolean;
}

/** A list of records. */
export function Table<T>(props: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  /** In a narrow window a row is two columns of cells one below the other, `isWide` ones among them. */
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

/** Facts of a record, one below the other. */
export function Facts(props: {
  rows: readonly (readonly [name: string, value: ComponentChildren])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {props.rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value === null || value === undefined || value === '' ? <span class="quiet">none</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
