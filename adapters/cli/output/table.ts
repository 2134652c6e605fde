import { visible } from './terminal.ts';

export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(visible));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The columns of a table: a field of the records, or the text of a record. */
export type Columns<Item> = Readonly<Record<string, (keyof Item & string) | ((item: Item) => string)>>;

/** Shows a record per line. A list in a cell has commas; a cell without a value is empty. */
export function recordTable<Item>(columns: Columns<Item>, items: readonly Item[]): string {
  const cells = Object.values(columns);
  return table([
    Object.keys(columns),
    ...items.map((item) =>
      cells.map((cell) => (typeof cell === 'string' ? `${item[cell] ?? ''}` : cell(item))),
    ),
  ]);
}

export function fieldList(record: object): string {
  const rows = Object.entries(record)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, cell(value)]);
  return table(rows);
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.map(element).join(', ');
  return element(value);
}

function element(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
