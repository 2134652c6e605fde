/** What was claimed, what was seen, and a table of both. */

/** Rows, and a word about the progress. */
export function createReport() {
  const started = performance.now();
  const rows = [];
  return {
    rows,
    /** One line at once, with the seconds since the beginning. */
    say(text) {
      console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(7)} s  ${text}`);
    },
    /** A claim that holds or does not. */
    row(engine, claim, expected, seen, holds) {
      rows.push([engine, claim, expected, seen, holds === true ? 'holds' : 'FAILS']);
      this.say(`${holds === true ? 'holds' : 'FAILS'}: ${engine}: ${claim}: ${seen}`);
    },
    holds: () => rows.length > 0 && rows.every(([, , , , verdict]) => verdict === 'holds'),
    table: () => tableOf([['engine', 'claim', 'expected', 'seen', 'verdict'], ...rows]),
  };
}

/** A number with separators, as people read it. */
export function count(number) {
  return number.toLocaleString('en');
}

/** Milliseconds with one digit. */
export function ms(number) {
  return `${number.toFixed(1)} ms`;
}

/** The value below which a share of the sorted numbers lies; 0 of none. */
export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function tableOf(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`);
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return lines.join('\n');
}
