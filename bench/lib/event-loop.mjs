/** Measures how long answers occupy the event loop while other answers are in progress. */
import { performance } from 'node:perf_hooks';
import { median } from './stats.mjs';
import { column } from './table.mjs';
import { target } from './target.mjs';
import { mainThreadCpu } from './thread-cpu.mjs';

/** The number of answers in progress at the same time. It keeps all threads of libuv busy. */
export const IN_FLIGHT = 16;

/** Awaits the answer for each input, with `IN_FLIGHT` answers at the same time. */
export async function inFlight(inputs, answer) {
  let next = 0;
  const work = async () => {
    while (next < inputs.length) {
      const index = next;
      next += 1;
      await answer(inputs[index]);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

/** Returns the microseconds per input: on the event loop by the clock, and CPU time of its thread. */
async function busyTime(inputs, answer) {
  const cpuBefore = mainThreadCpu();
  const before = performance.eventLoopUtilization();
  await inFlight(inputs, answer);
  const { active } = performance.eventLoopUtilization(before);
  const cpu = cpuBefore === undefined ? undefined : (mainThreadCpu() - cpuBefore) / inputs.length;
  return { busy: (active * 1_000) / inputs.length, cpu };
}

/** Measures the median times over the rounds, for a verdict (`ours`) and for only a signature or its check (`bare`). */
export async function busyTimes({ rounds, report, inputs, settle, ours, bare }) {
  const found = { ours: [], bare: [] };
  for (let round = 0; round <= rounds; round += 1) {
    report(`event loop: round ${round} of ${rounds}`);
    const given = await inputs();
    await settle();
    const times = { ours: await busyTime(given, ours), bare: await busyTime(given, bare) };
    if (round === 0) continue;
    found.ours.push(times.ours);
    found.bare.push(times.bare);
  }
  return { ours: medianTime(found.ours), bare: medianTime(found.bare) };
}

function medianTime(figures) {
  return {
    busy: median(figures.map(({ busy }) => busy)),
    ...(figures[0].cpu !== undefined && { cpu: median(figures.map(({ cpu }) => cpu)) }),
  };
}

/** Returns the table with the times. `names` are the names of the two rows. */
export function busyTable({ ours, bare }, what, names) {
  return {
    title: `The event loop, ${IN_FLIGHT} ${what} in flight`,
    note: 'CPU of the main thread; while it waits for its core, the event loop counts as busy as well.',
    columns: [column('cpu', 'CPU for a verdict', 'us'), column('busy', 'busy for a verdict', 'us')],
    rows: [
      { name: names.ours, ...ours },
      { name: names.bare, ...bare },
    ],
  };
}

export function busyTarget({ ours }, what) {
  const name = `the event loop, ${IN_FLIGHT} ${what} in flight`;
  return target(name, ours.cpu ?? ours.busy, { atMost: 60, unit: 'us' });
}
