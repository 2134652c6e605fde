/** The time that answers take of the event loop while others are under way next to them. */
import { performance } from 'node:perf_hooks';
import { median } from './stats.mjs';
import { column } from './table.mjs';
import { target } from './target.mjs';
import { mainThreadCpu } from './thread-cpu.mjs';

/** The number of answers under way at a time: as many as the threads of libuv have work with. */
export const IN_FLIGHT = 16;

/** Awaits the answer to each input, `IN_FLIGHT` at a time. */
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

/** Microseconds for one of the inputs: of the event loop by the clock, and of CPU of its thread. */
async function busyTime(inputs, answer) {
  const cpuBefore = mainThreadCpu();
  const before = performance.eventLoopUtilization();
  await inFlight(inputs, answer);
  const { active } = performance.eventLoopUtilization(before);
  const cpu = cpuBefore === undefined ? undefined : (mainThreadCpu() - cpuBefore) / inputs.length;
  return { busy: (active * 1_000) / inputs.length, cpu };
}

/** The medians of these times over the rounds, of a verdict (`ours`) and of a bare signature or check (`bare`). */
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

/** The median of such times. */
function medianTime(figures) {
  return {
    busy: median(figures.map(({ busy }) => busy)),
    ...(figures[0].cpu !== undefined && { cpu: median(figures.map(({ cpu }) => cpu)) }),
  };
}

/** Returns the table of such times. `names` are the names of the two rows. */
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

/** The target for the time of a verdict. */
export function busyTarget({ ours }, what) {
  const name = `the event loop, ${IN_FLIGHT} ${what} in flight`;
  return target(name, ours.cpu ?? ours.busy, { atMost: 60, unit: 'us' });
}
