/** The tables of the cost benchmark. */
import { BARE, isList, median } from './measure.mjs';

const MAX_TIMES = 1.5;
const LEAST_SPEED = 0.8;

/** Prints what each call costs; whether it is flat. */
export function printCalls(engine, sizes, medians) {
  const head = ['microseconds', ...sizes.map((size) => `${size}`), 'ratio', ''];
  let isFlat = true;
  // No `get` is flatter than the look-up it consists of.
  const mostOfGet = Math.max(MAX_TIMES, medians.has(BARE) ? ratioOf(medians.get(BARE)) : 0);
  const rows = [...medians].map(([call, values]) => {
    const ratio = ratioOf(values);
    const most = call === 'get' ? mostOfGet : MAX_TIMES;
    const isGood = isList(call) || call === BARE || ratio <= most;
    if (!isGood) isFlat = false;
    return [call, ...values.map(inUs), ratio.toFixed(2), isGood ? '' : `above ${most.toFixed(1)}`];
  });
  console.log(`\n${engine}\n${table([head, ...rows])}`);
  return isFlat;
}

function ratioOf(values) {
  return (values.at(-1) ?? 0) / (values[0] ?? 1);
}

/** Prints cold verify against the raw read; whether it is fast enough one call at a time. */
export function printColdVerify(engine, { one, many }) {
  const isGood = printSpeed(`${engine}: cold verify`, one) >= LEAST_SPEED;
  if (!isGood) console.log(`${engine}: below ${LEAST_SPEED}`);
  printSpeed(`${engine}: the same, 64 under way`, many);
  return isGood;
}

/** The speed of verify, 1 being that of the raw read: the median of the rounds. */
function printSpeed(name, { verify, raw }) {
  const speeds = raw.map((us, round) => us / verify[round]).sort((a, b) => a - b);
  const at = (share) => speeds[Math.floor((speeds.length - 1) * share)];
  console.log(
    `${name} ${inUs(median(verify))} us, raw read ${inUs(median(raw))} us, speed ${at(0.5).toFixed(2)}` +
      ` (rounds from ${at(0.1).toFixed(2)} to ${at(0.9).toFixed(2)})`,
  );
  return at(0.5);
}

function inUs(us) {
  return us.toFixed(us < 1 ? 3 : us < 10 ? 2 : us < 100 ? 1 : 0);
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
