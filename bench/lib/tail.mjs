/**
 * Measures all latencies up to the slowest, at a constant rate. Journal writes and garbage collection run between the
 * calls.
 */
import { createHistogram } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { column } from './table.mjs';

const RATE = 20_000;
const ROUNDS = 3;

/**
 * Returns a table of all contestants, which take turns. A latency starts when a request is due, so that requests behind
 * a slow call count as slow as well.
 */
export async function measureTail(contestants, { inputs, isQuick, report }) {
  const seconds = isQuick ? 0.1 : 5;
  const histograms = contestants.map(() => createHistogram());
  for (let round = 0; round <= ROUNDS; round += 1) {
    report(round, ROUNDS);
    for (const [index, { answer, warm, settle }] of contestants.entries()) {
      globalThis.gc?.();
      await warm?.();
      // The first round is thrown away.
      await askAtRate(answer, inputs(), {
        seconds,
        histogram: round === 0 ? createHistogram() : histograms[index],
      });
      await settle();
    }
  }
  const rows = contestants.map(({ name }, index) => rowOf(name, histograms[index]));
  return {
    title: `The whole tail: ${RATE.toLocaleString('en')} single calls a second for ${(ROUNDS * seconds).toFixed(0)} s`,
    note: 'From when a call was due; filing and garbage collection come between the calls, as in a service.',
    columns: [
      column('p50', 'p50', 'ns'),
      column('p99', 'p99', 'ns'),
      column('p999', 'p99.9', 'ns'),
      column('p9999', 'p99.99', 'ns'),
      column('max', 'slowest', 'ns'),
    ],
    rows,
  };
}

async function askAtRate(answer, intents, { seconds, histogram }) {
  const gapMs = 1e3 / RATE;
  const startedAt = performance.now();
  const count = RATE * seconds;
  let asked = 0;
  let allowed = 0;
  while (asked < count) {
    for (let dueAt = startedAt + asked * gapMs; asked < count && dueAt <= performance.now(); dueAt += gapMs) {
      if ((await answer(intents[asked % intents.length])).verdict === 'ALLOW') allowed += 1;
      histogram.record(Math.max(1, Math.round((performance.now() - dueAt) * 1e6)));
      asked += 1;
    }
    await nextTurn();
  }
  if (allowed === 0) throw new Error('No verdict of the tail was an ALLOW.');
}

function rowOf(name, histogram) {
  const at = (percentile) => histogram.percentile(percentile);
  return { name, p50: at(50), p99: at(99), p999: at(99.9), p9999: at(99.99), max: histogram.max };
}
