import { expect, onTestFinished, test } from 'vitest';
import { readEventId } from '../../../src/base/bytes/event-position.ts';
import { formatInstant } from '../../../src/base/values/instant.ts';
import { createIdentityService, type ServiceWith } from '../../../src/core.ts';
import { type EventCapability, events } from '../../../src/events/index.ts';
import type { IdentityEvent } from '../../../src/records/event.ts';
import { openService } from '../../support/service.ts';
import { namedStores, openShared, type SharedStore } from '../../support/stores.ts';

/** How many changes and verdicts; the full size is run by night. */
const EVENTS = process.env['NIGHTLY'] === undefined ? 400 : 10_000;
const LATENCIES = process.env['NIGHTLY'] === undefined ? 40 : 500;
/** The most new events of a stream. Each begins anew with those of 5 s before. */
const CUT = Math.max(60, EVENTS / 10);
const PATIENCE_MS = EVENTS * 28 + 20_000;
const PASSPORT = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 1 } as const;

// SQLite is for one process.
const subjects = (await namedStores()).filter(([name]) => name !== 'SQLite');

type Node = ServiceWith<readonly [EventCapability]>;

async function nodesOf(store: SharedStore): Promise<readonly [Node, Node]> {
  const nodes = (await openShared(store, 2)).map((storage) =>
    createIdentityService({ storage, storageDeadlineMs: 10_000, capabilities: [events()] }),
  ) as [Node, Node];
  onTestFinished(async () => {
    for (const node of [...nodes].reverse()) await node.close();
  });
  return nodes;
}

const A = { account_id: 'acc_a' };
const B = { account_id: 'acc_b' };
const agentOf = (host: string) => `did:web:${host}:agents:x`;
const p99 = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;

test.each(subjects)(
  'on %s every change and verdict reaches a subscriber of another node; how soon is shown',
  async (name, open) => {
    const [near, far] = await nodesOf(open);
    const { agent_id } = await near.passports.create(
      { ...PASSPORT, domain: 'a.example', agent_name: 'x' },
      A,
    );
    const heard = new Map<string, number>();
    const stream = await far.events.open({}, A);
    const reading = (async () => {
      for await (const { type, data } of stream) {
        const about = data as { readonly version?: number; readonly decision_id?: string };
        heard.set(`${type} ${about.decision_id ?? about.version}`, performance.now());
      }
    })();
    const acknowledged = new Map<string, number>();
    for (let round = 0; round < LATENCIES; round += 1) {
      const { version } = await near.passports.update(agent_id, { description: `${round}` }, A);
      acknowledged.set(`passport.updated ${version}`, performance.now());
      const { decision_id } = await near.verify({ agent_id, action: 'orders.get' }, A);
      acknowledged.set(`verdict.allowed ${decision_id}`, performance.now());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await until(() => heard.size >= acknowledged.size);
    expect([...acknowledged.keys()].filter((key) => !heard.has(key))).toEqual([]);
    stream.close();
    await reading;
    const delays = (kind: string) =>
      [...acknowledged]
        .filter(([key]) => key.startsWith(kind))
        .map(([key, at]) => (heard.get(key) ?? 1e9) - at);
    const [changes, verdicts] = [p99(delays('passport')), p99(delays('verdict'))];
    console.log(
      `${name}: p99 of ${LATENCIES}: changes ${changes.toFixed(0)} ms, verdicts ${verdicts.toFixed(0)} ms`,
    );
  },
  120_000,
);

test.each(subjects)(
  `on %s ${EVENTS} events over cut streams: each comes, after its change, and none of others`,
  async (_, open) => {
    const [near, far] = await nodesOf(open);
    for (const [actor, domain] of [
      [A, 'a.example'],
      [B, 'b.example'],
    ] as const)
      await near.passports.create({ ...PASSPORT, domain, agent_name: 'x' }, actor);
    const own = agentOf('a.example');
    const seen = new Set<string>();
    const others: IdentityEvent[] = [];
    const early: unknown[] = [];
    let isDone = false;
    let cuts = 0;
    const end = performance.now() + PATIENCE_MS;

    async function readUntilCut(after: string | undefined, most: number): Promise<string> {
      const stream = await far.events.open(
        { types: ['passport.updated', 'verdict.*'], ...(after && { after }) },
        A,
      );
      const began = formatInstant(readEventId(stream.begin)?.ms ?? 0);
      let last = stream.begin;
      let left = most;
      while (left > 0 && !(isDone && seen.size >= EVENTS) && performance.now() < end) {
        const events = await stream.read(200);
        for (const { id, timestamp, data } of events ?? []) {
          // As over HTTP, where the frame of an event from before the beginning has no id.
          if (timestamp >= began) {
            last = id;
            left -= 1;
          }
          const about = data as { agent_id: string; version?: number; decision_id?: string };
          if (about.agent_id !== own) others.push({ id, data } as never);
          if (about.version !== undefined && (await far.passports.get(own, A)).version < about.version)
            early.push(data);
          seen.add(about.decision_id ?? `${about.version}`);
        }
      }
      stream.close();
      return last;
    }

    const made = new Set<string>();
    const first = await far.events.open({}, A);
    const begin = first.begin;
    first.close();
    const writing = (async () => {
      for (let at = 0; at < EVENTS; at += 2) {
        const node = at % 4 === 0 ? near : far;
        const { version } = await node.passports.update(own, { description: `${at}` }, A);
        made.add(`${version}`);
        made.add(
          (await node.verify({ agent_id: own, action: at % 3 ? 'orders.get' : 'cats.feed' }, A)).decision_id,
        );
        if (at % 10 === 0) await node.passports.update(agentOf('b.example'), { description: `${at}` }, B);
      }
      isDone = true;
    })();
    for (let after = begin; !(isDone && seen.size >= EVENTS) && performance.now() < end; cuts += 1)
      after = await readUntilCut(after, 1 + Math.floor(Math.random() * CUT));
    await writing;
    console.log(`${EVENTS} events over ${cuts} streams`);
    expect([...made].filter((name) => !seen.has(name))).toEqual([]);
    expect({ others, early }).toEqual({ others: [], early: [] });
  },
  600_000,
);

test('a reader that takes nothing for 10 s with 1 MiB unsent is given up, a slow one gets all', async () => {
  const { service, timers } = openService();
  const passport = { ...PASSPORT, domain: 'a.example', agent_name: 'x' };
  const { agent_id } = await service.passports.create(passport, A);
  const deaf = await service.events.open({ types: ['passport.updated'] }, A);
  const slow = await service.events.open({ types: ['passport.updated'] }, A);
  const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`n${at}`, 'x'.repeat(500)]));
  const count = 150;
  for (let at = 0; at < count; at += 1)
    await service.passports.update(agent_id, { metadata: { ...metadata, n0: `${at}` } }, A);
  const versions = new Set<unknown>();
  while (versions.size < count) {
    for (const { data } of (await slow.read(1_000)) ?? [])
      versions.add((data as { version: unknown }).version);
    expect(slow.closed.aborted).toBe(false);
    await timers.pass(1_000);
  }
  await timers.pass(11_000);
  expect(deaf.closed.aborted).toBe(true);
  expect(await deaf.read(1_000)).toBeUndefined();
});

async function until(holds: () => boolean): Promise<void> {
  for (let tried = 0; tried < 2_000 && !holds(); tried += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
}
