/** Each way to change the past, on SQLite by SQL and on Redis by commands, is found by an audit or by what others kept. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { LOCAL_ACCOUNT } from '../../../src/core/shared/context.ts';
import type { BlockHeader, StorageAdapter, StoredRecord } from '../../../src/ports/index.ts';
import { noteKeyText, signNote } from '../../../src/transparency-log/signed-note.ts';
import { openLocalService, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { newLogKey } from '../../transparency-log/memory-log.ts';
import {
  buildGoCheck,
  type CheckByGo,
  hasGo,
  isLarge,
} from '../../transparency-log/third-parties/go-check.ts';
import { auditStored, filesOf, readStoredLog, type StoredLog } from './stored-log.ts';
import { onRedis, onSqlite, type Tampered } from './tampered.ts';

/** The account beside, whose log has blocks of the same writers. */
const OTHER = 'acc_other';

/** Opens a service on the store, makes the calls of a round in two accounts, and closes both. */
async function pass(store: Tampered, round: number): Promise<void> {
  const storage = await store.open();
  const { service } = openLocalService({
    ...{ storage, clock: { now: Date.now } },
    identity: { secret: SECRET, publicUrl: PUBLIC_URL },
    evidence: {},
  });
  for (const [account_id, domain] of [
    [LOCAL_ACCOUNT, 'shop.example'],
    [OTHER, 'other.example'],
  ] as const) {
    const actor = { account_id };
    const { agent_id } = await service.passports.create(
      {
        ...{ domain, agent_name: `buyer-${round}`, allowed_actions: ['orders.*'] },
        monetary_limit_per_txn: 0,
      },
      actor,
    );
    const intent = { agent_id, action: 'orders.list' };
    await service.verify({ ...intent, permit: { audience: 'https://pay.example' } }, actor);
    await service.verify(intent, actor);
    await service.suspend({ agent_id }, actor);
  }
  await service.close();
}

/** A log with two blocks, a permit and some changes, as an outsider knows it. */
async function history(store: Tampered) {
  await pass(store, 0);
  const early = await readLog(store);
  const goBack = await store.copy();
  await pass(store, 1);
  const late = await readLog(store);
  return { store, goBack, keys: late.keys, kept: [early, late].map(({ head }) => head.checkpoint) };
}

async function readLog(store: Tampered): Promise<StoredLog> {
  const storage = await store.open();
  const log = await readStoredLog(storage, LOCAL_ACCOUNT);
  await storage.close();
  return log;
}

/** The entries of the log as they are stored, the oldest first. */
async function entriesIn(storage: StorageAdapter): Promise<readonly StoredRecord[]> {
  const all = await storage.list('log_entries', { where: { account_id: LOCAL_ACCOUNT }, limit: 100 });
  return [...all].reverse();
}

async function blocksOf(storage: StorageAdapter, account_id: string): Promise<readonly BlockHeader[]> {
  return (await readStoredLog(storage, account_id)).headers;
}

type Stage = Awaited<ReturnType<typeof history>> & { readonly storage: StorageAdapter };

/** A change of the past. */
interface Row {
  readonly change: (stage: Stage) => Promise<void>;
  /** A code that the audit must name. */
  readonly code: string;
  /** The beginning of what the program in Go says; absent for content, which it does not read. */
  readonly go?: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  'an entry is edited': {
    async change({ store, storage }) {
      const [, one] = await entriesIn(storage);
      const text = `${one?.['entry']}`.replace('example', 'another');
      await store.set('log_entries', one as StoredRecord, 'entry', text);
    },
    ...{ code: 'leaf', go: 'entry 1: its text' },
  },
  'two entries are exchanged': {
    async change({ store, storage }) {
      const [, one, two] = await entriesIn(storage);
      await store.set('log_entries', one as StoredRecord, 'entry', String(two?.['entry']));
      await store.set('log_entries', two as StoredRecord, 'entry', String(one?.['entry']));
    },
    ...{ code: 'leaf', go: 'entry 1: its text' },
  },
  'an entry is deleted': {
    change: async ({ store, storage }) =>
      store.remove('log_entries', (await entriesIn(storage))[3] as StoredRecord),
    code: 'removed',
  },
  'a block is edited': {
    change: async ({ store, storage }) =>
      store.bend((await blocksOf(storage, LOCAL_ACCOUNT))[0] as BlockHeader),
    ...{ code: 'block', go: 'entry \\d+: the block' },
  },
  'the younger of two blocks is deleted': {
    change: async ({ store, storage }) =>
      store.drop((await blocksOf(storage, LOCAL_ACCOUNT))[0] as BlockHeader),
    code: 'removed',
  },
  'blocks of two accounts are exchanged': {
    async change({ store, storage }) {
      const own = await blocksOf(storage, LOCAL_ACCOUNT);
      const [two] = await blocksOf(storage, OTHER);
      const one = own.find(({ writer }) => writer === two?.writer);
      await store.exchange(one as BlockHeader, two as BlockHeader);
    },
    ...{ code: 'block', go: 'entry \\d+: the block' },
  },
  'a hash of a tile is changed': {
    async change({ store, storage }) {
      const tile = await tileOf(storage);
      const hashes = Buffer.from(String(tile['hashes']), 'base64');
      hashes[40] = (hashes[40] ?? 0) ^ 1;
      await store.set('log_tiles', tile, 'hashes', hashes.toString('base64'));
    },
    ...{ code: 'root', go: 'tiles' },
  },
  'a tile is deleted': {
    change: async ({ store, storage }) => store.remove('log_tiles', await tileOf(storage)),
    ...{ code: 'tile', go: 'file' },
  },
  'the size of the checkpoint is changed': {
    async change({ store, storage }) {
      const head = await headIn(storage);
      const note = String(head['checkpoint']).replace(/\n\d+\n/, '\n3\n');
      await store.set('log_heads', head, 'checkpoint', note);
    },
    ...{ code: 'checkpoint', go: 'signature' },
  },
  'another key signs the checkpoint': {
    async change({ store, storage }) {
      const head = await headIn(storage);
      const [text = ''] = String(head['checkpoint']).split('\n\n');
      const { signer } = await newLogKey(String(head['origin']));
      await store.set('log_heads', head, 'checkpoint', await signNote(`${text}\n`, [signer]));
    },
    ...{ code: 'checkpoint', go: 'signature' },
  },
  'the store is an older copy': {
    async change({ goBack, storage }) {
      await storage.close();
      await goBack();
    },
    ...{ code: 'history', go: 'history: the log had' },
  },
  'the store is an older copy, which has grown since': {
    async change({ goBack, store, storage }) {
      await storage.close();
      await goBack();
      for (const round of [2, 3]) await pass(store, round);
    },
    ...{ code: 'history', go: 'history' },
  },
};

async function headIn(storage: StorageAdapter): Promise<StoredRecord> {
  return (await storage.get('log_heads', LOCAL_ACCOUNT)) as StoredRecord;
}

async function tileOf(storage: StorageAdapter): Promise<StoredRecord> {
  const { log_id } = (await headIn(storage)) as unknown as { readonly log_id: string };
  return (await storage.get('log_tiles', `${log_id}:0:0`)) as StoredRecord;
}

describe.each([
  ['SQLite, by SQL', onSqlite],
  ['Redis, by commands', onRedis],
])('on %s', (_name, make) => {
  // It takes a while to build: `npm run test:third-parties`.
  const checkByGo = hasGo && isLarge ? buildGoCheck() : undefined;

  test.each(Object.entries(ROWS))('%s: found', async (_what, { change, code, go }) => {
    const store = await make();
    const stage = await history(store);
    const { keys, kept } = stage;
    const first = await store.open();
    const before = await readStoredLog(first, LOCAL_ACCOUNT);
    expect((await auditStored(first, before, kept)).findings).toEqual([]);
    if (checkByGo !== undefined)
      expect(await goOn(checkByGo, first, before, stage)).toMatchObject({ status: 0 });
    await change({ ...stage, storage: first });
    await first.close();
    const storage = await store.open();
    onTestFinished(() => storage.close());
    const log = { ...(await readStoredLog(storage, LOCAL_ACCOUNT)), keys };
    const { findings } = await auditStored(storage, log, kept);
    expect(findings.map((finding) => `${finding.code}`)).toContain(code);
    if (checkByGo === undefined || go === undefined) return;
    const { status, said } = await goOn(checkByGo, storage, log, stage);
    expect([status, said]).toEqual([1, expect.stringMatching(new RegExp(`^${go}`))]);
  });

  test('the tail is cut and signed anew by the key of the log: found by an older checkpoint alone', async () => {
    const store = await make();
    const { kept } = await history(store);
    const storage = await store.open();
    onTestFinished(() => storage.close());
    const log = await readStoredLog(storage, LOCAL_ACCOUNT);
    // The tree of before, as an operator would show it to who has not seen more.
    const cut = { ...log, head: { ...log.head, checkpoint: kept[0] ?? '' } };
    const { findings } = await auditStored(storage, cut, kept);
    expect(findings.map(({ code }) => code)).toContain('history');
  });
});

function goOn(
  checkByGo: CheckByGo,
  storage: StorageAdapter,
  log: StoredLog,
  { keys, kept }: Pick<Stage, 'keys' | 'kept'>,
) {
  const [key] = keys.map(noteKeyText);
  return filesOf(storage, log).then((files) => checkByGo(files, kept, key ?? ''));
}
