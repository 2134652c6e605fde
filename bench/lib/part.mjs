/** A part of the benchmark. It runs in its own process and sends its results to the process that started it. */
import { median, ratios } from './stats.mjs';

// The parent process has ended: no one reads the result.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();

/**
 * Reads the task of a part. With `isQuick`, only the correctness of answers matters. `peers` is the folder with the
 * peers.
 */
export function readTask() {
  const { isQuick = false, isFull = false, peers } = JSON.parse(process.env.BENCH_TASK ?? '{}');
  return { isQuick, isFull, peers, rounds: isQuick ? 1 : 7 };
}

export function progress(text) {
  if (process.send === undefined) console.error(text);
  else process.send({ progress: text });
}

/** Sends the tables and the targets of the part to the parent process. */
export function finish({ tables, targets = [] }) {
  const found = { tables, targets };
  if (process.send === undefined) console.log(JSON.stringify(found, null, 1));
  else process.send({ found });
}

/** Adds to each row the ratio of its time to the time of the row `floor`, within each round. */
export function withRatios(figures, floor) {
  const base = figures.find(({ name }) => name === floor);
  return figures.map((figure) => ({ ...figure, ratio: median(ratios(figure.perRound, base.perRound)) }));
}

/** Returns the ratio of the time of `name` to the time of `floor`, within each round. */
export function ratioOf(figures, name, floor) {
  const of = (wanted) => figures.find((figure) => figure.name === wanted).perRound;
  return median(ratios(of(name), of(floor)));
}
