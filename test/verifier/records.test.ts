/** The records of a verifier: sent once, with the same bytes until they are answered. */
import { describe, expect, test } from 'vitest';
import { bytesOfBase64Url } from '../../src/base/bytes/base64url.ts';
import { openBlock } from '../../src/journal-format/index.ts';
import type { LogEvent } from '../../src/ports/host.ts';
import { manualClock } from '../support/service.ts';
import { keyOf, open, passport, verifierWith, type Wire, wireTo } from './stage.ts';

const VERDICTS = '/verifier/verdicts';

interface Timers {
  readonly waiting: Set<{ readonly due: number; readonly callback: () => void }>;
  pass(ms: number): Promise<void>;
}

/** A verifier with timers of its own, and answers to its records that a test chooses. */
async function stage() {
  const clock = manualClock();
  // The same time on both sides: where only one stands still, an answer of a busy machine comes before its request.
  const service = open({ clock });
  const wire = wireTo(service);
  const { agent_id } = await service.passports.create(passport('a'));
  const timers: Timers = {
    waiting: new Set(),
    async pass(ms) {
      clock.advance(ms);
      for (const one of [...timers.waiting])
        if (one.due <= clock.monotonic() && timers.waiting.delete(one)) one.callback();
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
  };
  const made = { answer: undefined as (() => Response) | undefined, logs: [] as LogEvent[] };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (!`${input}`.endsWith(VERDICTS) || made.answer === undefined) return wire.fetch(input, init);
    wire.seen.push({ path: VERDICTS, body: JSON.parse(`${init?.body}`) });
    return made.answer();
  };
  const verifier = verifierWith({
    ...{ apiKey: await keyOf(service), fetch, clock, log: (event) => made.logs.push(event) },
    after(ms, callback) {
      const one = { due: clock.monotonic() + ms, callback };
      timers.waiting.add(one);
      return () => timers.waiting.delete(one);
    },
  });
  const ask = () => verifier.verify({ agent_id, action: 'orders.read' });
  return Object.assign(made, { verifier, wire, timers, ask });
}

const blocks = (wire: Wire) => wire.to(VERDICTS).map(({ body }) => body);
const problem = (status: number, code: string) => () =>
  Response.json({ code, detail: 'No.' }, { status, headers: { 'content-type': 'application/problem+json' } });

describe('records', () => {
  test('are sent 500 ms after the first, together, as the caller got them', async () => {
    const { verifier, wire, timers, ask } = await stage();
    const records = [await ask(), await ask()];
    await timers.pass(499);
    expect(blocks(wire)).toEqual([]);
    expect(verifier.state().unsent).toBe(2);
    await timers.pass(1);
    expect(blocks(wire)).toMatchObject([{ seq: 2, writer: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(wire.filed).toEqual(records);
    expect(records.map((record) => record.verifier)).toEqual(['local', 'local']);
    expect(verifier.state().unsent).toBe(0);
  });

  test('have the same bytes and number until they are answered', async () => {
    const made = await stage();
    const { wire, timers, ask, verifier } = made;
    made.answer = problem(503, 'storage_unavailable');
    await ask();
    await timers.pass(500);
    await timers.pass(500);
    made.answer = () => Response.json({ seq: 7, result: 'filed' });
    await timers.pass(1_000);
    await ask();
    made.answer = undefined;
    await timers.pass(10_000);
    const sent = blocks(wire);
    const numbers = sent.map(({ seq }) => Number(seq));
    expect(numbers.slice(0, 4)).toEqual([1, 1, 1, 1]);
    expect(numbers.at(4)).toBeGreaterThan(1);
    expect(new Set(sent.slice(0, 4).map((body) => JSON.stringify(body))).size).toBe(1);
    expect(wire.filed).toHaveLength(2);
    expect(verifier.state()).toMatchObject({ unsent: 0, dropped: 0 });
  });

  test('that the service refuses are drops of the next block, and one line', async () => {
    const made = await stage();
    const { wire, timers, ask, verifier, logs } = made;
    made.answer = problem(400, 'invalid_request');
    await ask();
    await timers.pass(500);
    expect(verifier.state()).toMatchObject({ unsent: 0, dropped: 1 });
    made.answer = undefined;
    await ask();
    await timers.pass(500);
    const { block } = blocks(wire).at(-1) as { block: string };
    const { drops, length } = openBlock(bytesOfBase64Url(block));
    expect([length, drops]).toMatchObject([1, [{ environment: 'live', count: 1 }]]);
    expect(logs.map(({ event }) => event)).toEqual(['verifier_refused']);
  });

  test('of a revoked key are lost and counted, and nothing is decided any more', async () => {
    const made = await stage();
    const { timers, ask, verifier, logs } = made;
    made.answer = problem(401, 'unauthenticated');
    await ask();
    await timers.pass(500);
    expect(verifier.state()).toMatchObject({ unsent: 0, dropped: 1, asks: 'refused' });
    expect(logs.map(({ event }) => event)).toEqual(['verifier_asks', 'verifier_lost']);
  });

  test('that are over the rate wait, and the service is asked meanwhile', async () => {
    const made = await stage();
    const { timers, ask, verifier, wire } = made;
    made.answer = problem(429, 'rate_limited');
    await ask();
    await timers.pass(500);
    expect(verifier.state()).toMatchObject({ unsent: 1, dropped: 0, asks: 'rate' });
    made.answer = undefined;
    await timers.pass(10_000);
    expect(verifier.state()).toMatchObject({ unsent: 0, dropped: 0 });
    expect(wire.filed).toHaveLength(1);
  });

  test('that an older service does not take wait, and it is asked about everything', async () => {
    const made = await stage();
    const { timers, ask, verifier } = made;
    made.answer = problem(404, 'not_found');
    await ask();
    await timers.pass(500);
    expect(verifier.state()).toMatchObject({ unsent: 1, asks: 'version' });
    await ask();
    expect(verifier.state()).toMatchObject({ decided: 1, asked: 1 });
  });

  test('that wait are sent at the close', async () => {
    const { verifier, wire, ask } = await stage();
    await ask();
    await verifier.close();
    expect(wire.filed).toHaveLength(1);
    expect(verifier.state().unsent).toBe(0);
  });

  test('of 8,192 verdicts are a block, which does not wait', async () => {
    const { wire, ask, timers } = await stage();
    for (let count = 0; count < 8_500; count += 1) await ask();
    await timers.pass(0);
    expect(wire.filed.length).toBeGreaterThanOrEqual(8_192);
  });
});
