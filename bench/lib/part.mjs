/** A part of the benchmark: it runs in its own process and sends what it found to the one that started it. */
import { median, ratios } from './stats.mjs';

// The parent process has ended: no one reads the result.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();

/** Reads the task of a part. With `isQuick` only the answers count. `peers` is the folder with the peers. */
export function readTask() {
  const { isQuick = false, isFull = false, peers } = JSON.parse(process.env.BENCH_TASK ?? '{}');
  return { isQuick, isFull, peers, rounds: isQuick ? 1 : 7 };
}

/** Prints the current step. */
export function progress(text) {
  if (process.send === undefined) console.error(text);
  else process.send({ progress: text });
}

/** Hands over the tables and the targets of the part. */
export function finish({ tables, targets = [] }) {
  const found = { tables, targets };
  if (process.send === undefined) console.log(JSON.stringify(found, null, 1));
  else process.send({ found });
}

/** Rows with how many times as long each took as the one named `floor`, within each round. */
export function withRatios(figures, floor) {
  const base = figures.find(({ name }) => name === floor);
  return figures.map((figure) => ({ ...figure, ratio: median(ratios(figure.perRound, base.perRound)) }));
}

/** How many times as long `name` took as `floor`, within each round. */
export function ratioOf(figures, name, floor) {
  const of = (wanted) => figures.find((figure) => figure.name === wanted).perRound;
  return median(ratios(of(name), of(floor)));
}
