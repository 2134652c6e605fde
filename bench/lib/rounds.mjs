/** Measures contestants side by side. Rounds alternate between them, and the first round is discarded. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { median, quantile, range } from './stats.mjs';

/** Returns a contestant whose answer is synchronous. */
export function answering(name, answer) {
  return { name, answer, ...loops(answer, false) };
}

/**
 * Returns a contestant whose answer is awaited. `warm` and `settle` run before and after each turn, and are not timed.
 */
export function promising(name, answer, { settle = nextTurn, warm } = {}) {
  return { name, answer, settle, warm, isAsync: true, ...loops(answer, true) };
}

/** Throws unless every contestant returns the expected verdicts. */
export async function assertEqualAnswers(contestants, { inputs, expected }) {
  for (const { name, answer, settle } of contestants) {
    for (const [index, input] of inputs().entries()) {
      const { verdict } = await answer(input, index);
      if (verdict !== expected[index]) {
        throw new Error(`${name} says ${verdict}, not ${expected[index]}, to ${JSON.stringify(input)}`);
      }
      if (index % 1_000 === 999) await settle?.();
    }
    await settle?.();
  }
}

/**
 * Measures the nanoseconds per call of each contestant. `inputs` creates the inputs for each turn, and is not timed. If
 * `how` is `loop`, it times batches of calls. If `how` is `single`, it times each call separately, including the await
 * and the timer.
 */
export async function measure(contestants, { inputs, rounds, how = 'loop', batch = 100, report = () => {} }) {
  const figures = contestants.map(({ name }) => ({ name, samples: [], perRound: [], bytes: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    report(round, rounds);
    for (const [index, contestant] of contestants.entries()) {
      const given = (contestant.inputs ?? inputs)();
      globalThis.gc?.();
      await contestant.warm?.();
      const samples = await turn(contestant, given, { how, batch });
      await contestant.settle?.();
      if (round === 0) continue;
      const figure = figures[index];
      for (const sample of samples) figure.samples.push(sample);
      figure.perRound.push(median(samples));
      if (how === 'loop') figure.bytes.push(await allocated(contestant, (contestant.inputs ?? inputs)()));
    }
  }
  return figures.map(summed);
}

/** Returns the fields of a figure that a table row needs. */
function summed({ name, samples, perRound, bytes }) {
  return {
    name,
    fastest: quantile(samples, 0.01),
    p50: quantile(samples, 0.5),
    p99: quantile(samples, 0.99),
    perRound,
    spread: range(perRound),
    bytes: bytes.length === 0 ? null : Math.max(0, Math.round(median(bytes))),
  };
}

async function turn({ run, runSingle, isAsync = false }, given, { how, batch }) {
  if (how === 'single') return runSingle(given);
  const samples = [];
  for (let from = 0; from + batch <= given.length; from += batch) {
    const startedAt = performance.now();
    const allowed = run(given, from, from + batch);
    if (isAsync) await allowed;
    samples.push(((performance.now() - startedAt) * 1e6) / batch);
  }
  return samples;
}

const ALLOCATING = 200;

/**
 * Returns the allocated bytes per call. It makes so few calls after a garbage collection that no other collection runs.
 */
async function allocated({ run, isAsync = false, settle, warm }, given) {
  if (globalThis.gc === undefined) return Number.NaN;
  const count = Math.min(ALLOCATING, given.length);
  await warm?.();
  await settle?.();
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const allowed = run(given, 0, count);
  if (isAsync) await allowed;
  const after = process.memoryUsage().heapUsed;
  await settle?.();
  return (after - before) / count;
}

/** Creates separate loops for each contestant, so that the types in one contestant do not slow the code of another. */
function loops(answer, isAsync) {
  const [kind, wait] = isAsync ? ['async', 'await'] : ['', ''];
  const make = (parameters, body) =>
    ownCode('answer', `return ${kind} function (${parameters}) { ${body} }`)(answer);
  return {
    run: make(
      'given, from, to',
      `let allowed = 0;
       for (let index = from; index < to; index += 1) {
         if ((${wait} answer(given[index], index)).verdict === 'ALLOW') allowed += 1;
       }
       return allowed;`,
    ),
    runSingle: make(
      'given',
      `const samples = new Float64Array(given.length);
       let allowed = 0;
       for (let index = 0; index < given.length; index += 1) {
         const startedAt = performance.now();
         if ((${wait} answer(given[index], index)).verdict === 'ALLOW') allowed += 1;
         samples[index] = (performance.now() - startedAt) * 1e6;
       }
       // Looked at, so that no answer is left out as unused.
       if (allowed < 0) throw new Error();
       return samples;`,
    ),
  };
}

/**
 * The number of created functions. It makes each source text different, because V8 shares its optimizations between
 * equal texts.
 */
let made = 0;

/** Creates a function with one parameter from its source text. V8 shares nothing between it and other functions. */
export function ownCode(parameter, body) {
  made += 1;
  return new Function(parameter, `/* ${made} */ ${body}`);
}

/** Measures the nanoseconds between two readings of the clock without work between them. */
export function timerOverhead() {
  const samples = new Float64Array(100_000);
  for (let index = 0; index < samples.length; index += 1) {
    const startedAt = performance.now();
    samples[index] = (performance.now() - startedAt) * 1e6;
  }
  return median(samples.subarray(50_000));
}
