/** A service of two nodes and a verifier in a time of their own: with delays, cuts, copies, freezes and sleep. */
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createIdentityService } from '../../src/core.ts';
import { fetchHandler } from '../../src/http/index.ts';
import type { After, Clock } from '../../src/ports/host.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { createLocalVerifier } from '../../src/verifier/index.ts';
import { verifiers } from '../../src/verifiers/index.ts';
import { createRandom } from '../support/random.ts';
import { START } from '../support/service.ts';
import { BASE_URL, passport } from './stage.ts';

/** A defect that is built into a run, which its test must notice. */
export type Defect = 'dated by the arrival' | 'as_of_ms after the read' | 'no clock of sleep';

/** The change whose last older verdict is measured. */
export type ChangeKind = 'revoke' | 'suspend' | 'narrow' | 'parent' | 'key' | 'agent_ids';

export const CHANGES: readonly ChangeKind[] = ['revoke', 'suspend', 'narrow', 'parent', 'key', 'agent_ids'];

/** What a run has seen. */
export interface Run {
  /** The milliseconds from the acknowledgement to the start of the last ALLOW by the older state. */
  readonly lastMs: number;
  /** The verdicts of the verifier itself. */
  readonly decided: number;
  readonly asked: number;
  readonly failed: number;
}

/** Virtual time: what is due runs in its order, each after all that the one before has set off. */
interface Time {
  now(): number;
  after: After;
  run(until: number): Promise<void>;
}

/** The turns of the event loop after which all that needs no time has happened. */
const TURNS = 12;

function createTime(): Time {
  const due = new Map<number, { readonly at: number; readonly callback: () => void }>();
  let now = 0;
  let count = 0;

  async function settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  return {
    now: () => now,
    after(ms, callback) {
      count += 1;
      const id = count;
      due.set(id, { at: now + Math.max(0, ms), callback });
      return () => due.delete(id);
    },
    async run(until) {
      for (;;) {
        let first: number | undefined;
        for (const [id, { at }] of due) {
          if (at <= until && (first === undefined || at < (due.get(first)?.at ?? 0))) first = id;
        }
        const one = first === undefined ? undefined : due.get(first);
        if (first === undefined || one === undefined) break;
        due.delete(first);
        now = one.at;
        one.callback();
        await settle();
      }
      now = until;
    },
  };
}

/** A process that may be stopped, with or without its clock. */
interface Machine {
  readonly clock: Clock;
  readonly after: After;
  /** Stops it until then; asleep its steady clock stands still as well. */
  stop(ms: number, isAsleep: boolean): void;
  /** Calls back as soon as it runs. */
  arrive(callback: () => void): void;
}

function createMachine(time: Time, wallOffMs: number, hasSleepClock: boolean): Machine {
  let stoppedUntil = 0;
  let sleptMs = 0;
  const monotonic = () => time.now() - sleptMs;
  function arrive(callback: () => void): void {
    if (time.now() >= stoppedUntil) callback();
    else time.after(stoppedUntil - time.now(), () => arrive(callback));
  }
  return {
    clock: { monotonic, now: () => START + wallOffMs + (hasSleepClock ? time.now() : monotonic()) },
    after: (ms, callback) => {
      let isCancelled = false;
      const run = () => arrive(() => isCancelled || callback());
      const cancel = time.after(ms, run);
      return () => {
        isCancelled = true;
        cancel();
      };
    },
    stop(ms, isAsleep) {
      stoppedUntil = time.now() + ms;
      if (isAsleep) time.after(ms - 0.001, () => (sleptMs += ms));
    },
    arrive,
  };
}

/** Reads take up to 800 ms now and then, and answer what stood at their beginning. */
function slowly(storage: StorageAdapter, time: Time, random: () => number): StorageAdapter {
  const { subscribe: _, ...deaf } = storage;
  return {
    ...deaf,
    async get(collection, id) {
      const found = await storage.get(collection, id);
      if (random() < 0.4) await new Promise<void>((resolve) => time.after(random() * 800, resolve));
      return found;
    },
    close: async () => undefined,
  };
}

/** Runs one history that follows from the seed. */
export async function runHistory(seed: number, kind: ChangeKind, defect?: Defect): Promise<Run> {
  const random = createRandom(seed);
  const time = createTime();
  const storage = memoryStorage();
  const clock: Clock = { monotonic: time.now, now: () => START + time.now() };
  const options = { clock, after: time.after };
  const open = (storage: StorageAdapter) =>
    createIdentityService({ storageDeadlineMs: 60_000, storage, capabilities: [verifiers()], ...options });
  const [writer, reader] = [open(storage), open(slowly(storage, time, random))];
  const hour = 3_600_000;
  const wallOffMs = [0, hour, -hour][Math.floor(random() * 3)] ?? 0;
  const machine = createMachine(time, wallOffMs, defect !== 'no clock of sleep');

  const top = await writer.passports.create(passport('top'));
  const { agent_id } = await writer.passports.create(passport('a', { parent_agent_id: top.agent_id }));
  const other = await writer.passports.create(passport('other'));
  const scopes = ['verify', 'decide'] as const;
  const { key: apiKey, id: keyId } = await writer.keys.create({ name: 'verifier', scopes });

  const verifier = createLocalVerifier({
    ...{ baseUrl: BASE_URL, apiKey, clock: machine.clock, after: machine.after },
    fetch: bentFetch({ time, machine, random, defect, handler: fetchHandler(reader) }),
  });

  let acknowledgedAt = Number.POSITIVE_INFINITY;
  const run = { lastMs: Number.NEGATIVE_INFINITY, failed: 0 };
  function ask(): void {
    const startedAt = time.now();
    const intent = { agent_id, action: 'orders.pay', parameters: { amount: 5, currency: 'EUR' } };
    const wasAsked = verifier.state().asked;
    verifier.verify(intent).then(
      ({ verdict }) => {
        const isOwn = verifier.state().asked === wasAsked;
        if (verdict === 'ALLOW' && isOwn) run.lastMs = Math.max(run.lastMs, startedAt - acknowledgedAt);
      },
      () => (run.failed += 1),
    );
  }
  function askAgain(): void {
    machine.arrive(ask);
    time.after(11 + random() * 60, askAgain);
  }
  askAgain();

  const changeAt = 1_500 + random() * 1_500;
  time.after(changeAt, () => {
    const change = {
      revoke: () => writer.revoke({ agent_id }),
      suspend: () => writer.suspend({ agent_id }),
      narrow: () => writer.passports.update(agent_id, { monetary_limit_per_txn: 1 }),
      parent: () => writer.passports.update(top.agent_id, { allowed_actions: ['refunds.*'] }),
      key: () => writer.keys.revoke(keyId),
      agent_ids: () => writer.keys.update(keyId, { agent_ids: [other.agent_id] }),
    }[kind];
    void change().then(() => (acknowledgedAt = time.now()));
  });
  // A stop around the change, most often one that begins just before it.
  if (random() < 0.5)
    time.after(changeAt - 300 + random() * 400, () => machine.stop(300 + random() * 2_500, random() < 0.5));
  await time.run(changeAt + 6_000);
  const { decided, asked } = verifier.state();
  const closed = [verifier.close(), reader.close(), writer.close()];
  await time.run(changeAt + 20_000);
  await Promise.all(closed);
  return { ...run, decided, asked };
}

interface Bent {
  readonly time: Time;
  readonly machine: Machine;
  readonly random: () => number;
  readonly defect: Defect | undefined;
  readonly handler: (request: Request) => Promise<Response>;
}

/** A network that delays, cuts without a word, and delivers twice. */
function bentFetch({ time, machine, random, defect, handler }: Bent): typeof globalThis.fetch {
  const wait = (ms: number) => new Promise<void>((resolve) => time.after(ms, resolve));
  const delay = () => (random() < 0.2 ? random() * 2_000 : random() * 60);

  return async (input, init) => {
    const sentAt = time.now();
    const isCut = random() < 0.05;
    const isTwice = random() < 0.05;
    await wait(delay());
    const signal = init?.signal;
    const request = new Request(input as string, { ...init, signal: null });
    const path = new URL(request.url).pathname;
    const arrivedAt = time.now();
    if (path.endsWith('/verifier/verdicts')) {
      const { seq } = await request.json();
      return Response.json({ seq, result: 'filed' });
    }
    const copy = request.clone();
    const response = await handler(request);
    const answer = isTwice ? await wait(delay()).then(() => handler(copy)) : response;
    const answeredAt = time.now();
    await wait(delay());
    if (isCut || signal?.aborted) await new Promise(() => undefined);
    await new Promise<void>((resolve) => machine.arrive(resolve));
    if (defect === undefined || !path.endsWith('/verifier/passports') || answer.status !== 200) return answer;
    const body = await answer.json();
    if (defect === 'dated by the arrival') body.as_of_ms = time.now() - sentAt;
    if (defect === 'as_of_ms after the read') body.as_of_ms = answeredAt - arrivedAt;
    return Response.json(body);
  };
}
