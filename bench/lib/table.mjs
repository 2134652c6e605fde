/** Formats a figure by its unit, for people. A missing figure is `-`. */
const FORMATS = {
  ns: (ns) =>
    ns < 1e3
      ? `${ns.toFixed(0)} ns`
      : ns < 1e6
        ? `${(ns / 1e3).toFixed(2)} µs`
        : `${(ns / 1e6).toFixed(2)} ms`,
  us: (us) => `${us.toFixed(1)} µs`,
  ms: (ms) => `${ms.toFixed(1)} ms`,
  x: (times) => (times < 100 ? times.toFixed(2) : times.toFixed(0)),
  bytes: (bytes) => `${bytes.toFixed(0)} B`,
  MiB: (bytes) => `${(bytes / 1_048_576).toFixed(1)} MiB`,
  count: (number) => number.toLocaleString('en'),
  'per s': (number) => Math.round(number).toLocaleString('en'),
};

/** Returns a column: the key in each row, the heading and the unit. */
export function column(key, label, unit) {
  return { key, label, unit };
}

/**
 * Returns the columns for a contestant. `times` names the baseline of the ratio, and `of` names the measured unit.
 * Batches give steadier figures than single calls.
 */
export function timeColumns(times, of = 'batches of 100') {
  return [
    column('p50', `p50 of ${of}`, 'ns'),
    column('p99', `p99 of ${of}`, 'ns'),
    column('spread', 'rounds, low to high', 'ns'),
    column('ratio', times, 'x'),
    column('bytes', 'allocated', 'bytes'),
  ];
}

/** Returns the table as text, with its title above and its note below. */
export function tableText({ title, note, columns, rows }) {
  const lines = [
    ['', ...columns.map(({ label }) => label)],
    ...rows.map((row) => [row.name, ...columns.map(({ key, unit }) => cellText(row[key], unit))]),
  ];
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const body = lines.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '),
  );
  return [title, ...body, ...(note ? [note] : [])].join('\n');
}

/**
 * Formats a figure, or the two ends of a range. A time or a ratio below zero is not measurable: the machine changed too
 * much between the two runs.
 */
export function cellText(value, unit) {
  if (Array.isArray(value)) return value.map((each) => cellText(each, unit)).join(' to ');
  if (typeof value !== 'number' || !Number.isFinite(value)) return '-';
  return isMeasurable(value, unit) ? FORMATS[unit](value) : 'not measurable';
}

/** Says whether a figure is plausible. A time or a ratio cannot be negative. */
export function isMeasurable(value, unit) {
  return value >= 0 || !['ns', 'us', 'x'].includes(unit);
}

export function markdownTable(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((cells) => cells[at].length)));
  const [head, ...rows] = lines.map((cells) => cells.map((cell, at) => cell.padEnd(widths[at])));
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
