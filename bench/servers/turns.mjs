/**
 * Measures a server from inside. It is loaded next to the program. It answers each message with the longest turn of the
 * event loop and the longest garbage collection since the last message.
 *
 * A turn is only the work of the program: without its collections, and without the time that the thread waited for a
 * core. Only Linux reports this time.
 */
import { openSync, readSync } from 'node:fs';
import { PerformanceObserver, performance } from 'node:perf_hooks';

const EVERY_MS = 1;
/** The minimum length of a turn that is remembered. Shorter turns are no news. */
const LEAST_MS = 2;

const schedule = openSchedule();
const bytes = Buffer.alloc(128);
let turns = [];
let collections = [];
let before = { ms: performance.now(), queuedMs: queuedMs() };

setInterval(() => {
  const now = { ms: performance.now(), queuedMs: queuedMs() };
  const workMs = now.ms - before.ms - EVERY_MS - (now.queuedMs - before.queuedMs);
  if (workMs >= LEAST_MS) turns.push({ from: before.ms, to: now.ms, workMs });
  before = now;
}, EVERY_MS).unref();

const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
observer.observe({ entryTypes: ['gc'] });

process.on('message', () => {
  collections.push(...observer.takeRecords());
  const work = turns.map((turn) => turn.workMs - collectedMs(turn));
  process.send({
    workMs: Math.max(0, ...work),
    collectionMs: Math.max(0, ...collections.map(({ duration }) => duration)),
  });
  turns = [];
  collections = [];
});
// A server that ends must not be kept by its parent.
process.channel.unref();

function openSchedule() {
  try {
    return openSync('/proc/thread-self/schedstat');
  } catch {
    return undefined;
  }
}

/** Returns the milliseconds that this thread has waited for a core; always 0 if the system does not report it. */
function queuedMs() {
  if (schedule === undefined) return 0;
  const length = readSync(schedule, bytes, 0, bytes.length, 0);
  return Number(bytes.latin1Slice(0, length).split(' ')[1]) / 1e6;
}

/** Returns the milliseconds of the turn in which collections ran. */
function collectedMs({ from, to }) {
  return collections.reduce((sum, { startTime, duration }) => {
    return sum + Math.max(0, Math.min(to, startTime + duration) - Math.max(from, startTime));
  }, 0);
}
