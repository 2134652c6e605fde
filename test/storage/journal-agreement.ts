import { deepStrictEqual, rejects } from 'node:assert/strict';
import { type Block, MAX_LOADED_BLOCKS, type StorageAdapter, type Sums } from '../../src/ports/index.ts';
import { instant } from '../../src/testing/storage-contract/fixtures.ts';
import { headerOf, nameOf } from '../../src/testing/storage-contract/journal/fixtures.ts';
import { ACCOUNTS, type Call, idOf, KINDS, type SumsQuestion, WRITERS } from './journal-histories.ts';
import { emptyModel, type JournalModel, model } from './journal-model.ts';

/** What is under way: the storage, the model of it, and how often each writer was forgotten. */
interface Run {
  readonly storage: StorageAdapter;
  readonly state: JournalModel;
  readonly generations: number[];
}

/** Makes the calls on the storage and on the model, and fails where their answers differ. */
export async function agrees(storage: StorageAdapter, calls: readonly Call[]): Promise<void> {
  // Far ahead of all that is purged: a purge goes as far as it says.
  await storage.time(instant(999_999), true);
  const run = { storage, state: emptyModel(), generations: Array.from({ length: WRITERS }, () => 0) };
  for (const call of calls) await make(run, call);
  await agreesInTheEnd(run);
}

async function make(run: Run, call: Call): Promise<void> {
  const { storage, state } = run;
  const { journal } = storage;
  switch (call.call) {
    case 'open': {
      const id = currentId(run, call.writer);
      return deepStrictEqual(await journal.open(id, call.at), model.open(state, id, call.at));
    }
    case 'file':
      return file(run, call);
    case 'merge':
      return merge(run, call);
    case 'compact':
      return compact(run, call);
    case 'purge':
      return purge(run, call);
    case 'blocks': {
      const expected = model.blocks(state, call.query).map(headerOf);
      return deepStrictEqual(await journal.blocks(call.query), expected);
    }
    case 'load': {
      const names = call.picks.flatMap((pick) => {
        const found = state.blocks[pick % (state.blocks.length + 1)];
        return found === undefined ? [{ writer: idOf(0, 0), seq: 99, account_id: '' }] : [nameOf(found)];
      });
      return sameBytes(await journal.load(names), model.load(state, names));
    }
    case 'filed': {
      const query = { writer: currentId(run, call.writer), ...call.range };
      return deepStrictEqual(await journal.filed(query), model.filed(state, query).map(headerOf));
    }
    case 'sums':
      return sums(run, call.question);
  }
}

async function file({ storage, state, ...run }: Run, call: Call & { call: 'file' }): Promise<void> {
  const writer = currentId({ storage, state, ...run }, call.writer);
  const { flushed } = state.writers.find(({ id }) => id === writer) ?? { flushed: 0 };
  const seq = Math.max(1, flushed + call.step);
  const blocks = call.contents.map((content) => ({ ...content, writer, seq }));
  const flush = { writer, seq, at: call.at, blocks };
  const expected = model.file(state, flush);
  await answers(storage.journal.file(flush), expected);
}

async function merge(run: Run, call: Call & { call: 'merge' }): Promise<void> {
  const writer = currentId(run, call.writer);
  const known = run.state.writers.find(({ id }) => id === writer) ?? { merged: 0, flushed: 1 };
  const from = known.merged + call.off;
  const to = Math.min(from + call.most, known.flushed);
  if (from < 0 || to <= from) return;
  const given = { writer, from, to, at: call.at, rollups: call.rollups };
  await answers(run.storage.journal.merge(given), model.merge(run.state, given));
}

/** Blocks of one writer and account, chosen by one of them; with a flaw, where there shall be one. */
async function compact({ storage, state }: Run, call: Call & { call: 'compact' }): Promise<void> {
  const first = state.blocks[call.pick % Math.max(1, state.blocks.length)];
  if (first === undefined) return;
  const { writer, account_id } = first;
  const blocks = state.blocks
    .filter((block) => block.writer === writer && block.account_id === account_id)
    .slice(0, call.most);
  const target = blocks[call.pick % blocks.length] ?? first;
  const { from_ms, to_ms, records, denied } = target;
  const before = call.isAsBefore && { from_ms, to_ms, records, denied };
  const into = { ...call.content, ...before, ...nameOf(target), ...(call.flaw === 'name' && { seq: 77 }) };
  const found = blocks.map(headerOf);
  if (call.flaw === 'absent') found.push({ ...headerOf(target), seq: 88 });
  deepStrictEqual(await storage.journal.compact(found, into), model.compact(state, found, into));
}

async function purge({ storage, state, generations }: Run, call: Call & { call: 'purge' }): Promise<void> {
  const known = new Set(state.writers.map(({ id }) => id));
  let removed = 0;
  for (let number = 1; number > 0; removed += number) {
    number = await storage.purge(call.what, call.before);
  }
  deepStrictEqual(removed, model.purge(state, call.what, call.before));
  for (const { id } of state.writers) known.delete(id);
  for (const id of known) {
    const writer = generations.findIndex((generation, number) => idOf(number, generation) === id);
    generations[writer] = (generations[writer] ?? 0) + 1;
  }
  deepStrictEqual(await storage.journal.completeSince('acc_a'), state.completeSince);
}

async function sums(run: Run, question: SumsQuestion): Promise<void> {
  const found = await sameSums(run, question);
  sameBytes(sorted(found.unmerged), sorted(model.unmerged(run.state, question.account_id)));
}

async function sameSums({ storage, state }: Run, question: SumsQuestion): Promise<Sums> {
  const found = await storage.journal.sums(question);
  const expected = question.parts.map((part) => model.sum(state, question, part));
  deepStrictEqual(found.parts.map(inOrder), expected.map(inOrder));
  return found;
}

async function agreesInTheEnd(run: Run): Promise<void> {
  const { storage, state } = run;
  deepStrictEqual(inOrder(await storage.journal.writers()), inOrder(state.writers));
  const open = state.writers.filter(({ flushed, merged }) => merged < flushed);
  deepStrictEqual(inOrder(await storage.journal.unmerged({ limit: 256 })), inOrder(open));
  const span = { from: instant(-200_000), to: instant(200_000), byStart: true, kinds: KINDS };
  const parts = (['minute', 'hour', 'day'] as const).map((resolution) => ({ ...span, resolution }));
  for (const account_id of ACCOUNTS) {
    const query = { account_id, limit: 256 };
    deepStrictEqual(await storage.journal.blocks(query), model.blocks(state, query).map(headerOf));
    await sums(run, { account_id, environment: 'live', agent_id: '', parts: [] });
    for (const environment of ['live', 'test'] as const) {
      for (const agent_id of ['', 'a']) await sameSums(run, { account_id, environment, agent_id, parts });
    }
  }
  for (let from = 0; from < state.blocks.length; from += MAX_LOADED_BLOCKS) {
    const blocks = state.blocks.slice(from, from + MAX_LOADED_BLOCKS);
    sameBytes(await storage.journal.load(blocks.map(nameOf)), blocks);
  }
}

/** The call gives back what is expected, or rejects where that is nothing. */
async function answers(call: Promise<unknown>, expected: unknown): Promise<void> {
  if (expected === undefined) await rejects(call);
  else deepStrictEqual(await call, expected);
}

function currentId({ generations }: Run, writer: number): string {
  return idOf(writer, generations[writer] ?? 0);
}

/** Compared by their spelling: an adapter may give back the bytes of its driver. */
function sameBytes(found: readonly (Block | undefined)[], expected: typeof found): void {
  deepStrictEqual(found.map(plain), expected.map(plain));
}

function plain(block: Block | undefined): object | undefined {
  const spelled = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return block && { ...block, filter: spelled(block.filter), data: spelled(block.data) };
}

function sorted(blocks: readonly Block[]): readonly Block[] {
  return [...blocks].sort((a, b) => (a.writer === b.writer ? a.seq - b.seq : a.writer < b.writer ? -1 : 1));
}

function inOrder(values: readonly object[]): readonly string[] {
  return values.map((value) => JSON.stringify(Object.entries(value).sort())).sort();
}
