/** The table of an engine, for a terminal and for a page. */

const HEAD = ['fault', 'expected', 'seen', 'ok'];

/** Rows as aligned text; what did not hold stands below its row. */
export function toText(rows) {
  const all = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd();
  return [
    line(HEAD),
    ...rows.flatMap((row) => [line(cells(row)), ...row.problems.map((problem) => `    NOT OK: ${problem}`)]),
  ].join('\n');
}

/** The same for the page of storages. */
export function toMarkdown({ engine, rows }) {
  const line = (row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const withProblems = ({ problems, seen, ...row }) =>
    cells({ ...row, problems, seen: [seen, ...problems].join('; ') });
  return [
    `### Faults of ${engine}`,
    '',
    line(HEAD),
    '|---|---|---|---|',
    ...rows.map((row) => line(withProblems(row))),
    '',
  ].join('\n');
}

function cells({ fault, problems, seen }) {
  return [fault.name, fault.expected, seen, problems.length === 0 ? 'yes' : 'NO'];
}
