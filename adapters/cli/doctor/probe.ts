import { createIdentityService, type StorageAdapter } from '../../../src/index.ts';
import { COLLECTION_NAMES, clockDistance, MAX_OFF_MS, MAX_PAGE_SIZE } from '../../../src/ports/index.ts';
import { COMMAND_DEADLINE_MS } from '../input/storage-url.ts';
import { describeFailure, type Finding, fail, ok, warn } from './finding.ts';

const NO_ID = 'doctor';
const NEVER_WAS = '1970-01-01T00:00:00.000Z';

export async function probeReading(storage: StorageAdapter): Promise<Finding> {
  const present = new Date().toISOString();
  const refusedNames: string[] = [];
  const ask = async (name: string, read: () => Promise<unknown>): Promise<void> => {
    await read().catch((error: unknown) => refusedNames.push(`${name}: ${describeFailure(error)}`));
  };
  for (const name of COLLECTION_NAMES) {
    await ask(name, () => storage.list(name, { where: {}, limit: 1 }));
    await ask(name, () => storage.get(name, NO_ID));
  }
  await ask('verdicts', () => storage.journal.blocks({ account_id: NO_ID, limit: 1 }));
  await ask('writers', () => storage.journal.writers());
  await ask('counters', () => storage.count(NO_ID, present));
  await ask('rollups', () => {
    const span = { from: NEVER_WAS, to: present };
    const part = { resolution: 'day', kinds: ['verdict'], ...span, byStart: false } as const;
    return storage.journal.sums({ account_id: NO_ID, environment: 'live', agent_id: '', parts: [part] });
  });
  if (refusedNames.length === 0) return ok('reading', 'Every kind of record can be read.');
  const action = 'Grant the user of the storage URL the right to read, and see that the storage is whole.';
  return fail('reading', refusedNames.join(' '), action);
}

/** Tests writing records. The last step of each write must fail, so that the storage rolls back the whole write. */
export async function probeWriting(storage: StorageAdapter): Promise<Finding> {
  const instant = new Date().toISOString();
  const common = { id: NO_ID, account_id: NO_ID, version: 1, created_at: instant };
  const record = { ...common, changed_at: null, changed_by: null };
  const refusedNames: string[] = [];
  for (const collection of COLLECTION_NAMES) {
    await storage
      .write([
        { op: 'add', counter: NO_ID, by: 1, at: instant, expires_at: instant },
        { op: 'insert', collection: 'domains', record },
        { op: 'remove', collection, id: `${NO_ID} ${NO_ID}`, version: 1 },
      ])
      .catch((error: unknown) => refusedNames.push(`${collection}: ${describeFailure(error)}`));
  }
  if (refusedNames.length === 0) return ok('writing', 'Records can be written (tried, and taken back).');
  const action =
    'Grant the user of the storage URL the right to write, and see that the storage is neither read-only nor full.';
  return fail('writing', [...new Set(refusedNames)].join(' '), action);
}

export async function probeDurability(storage: StorageAdapter): Promise<Finding> {
  try {
    const { durability, detail } = await storage.check();
    if (durability === 'durable') {
      const note = detail === undefined ? '' : ` ${detail}`;
      return ok('durability', `durable: an acknowledged write is on the disk.${note}`);
    }
    const action =
      durability === 'volatile'
        ? 'Use sqlite:<file>, postgres:// or redis:// for what must last.'
        : 'Set the server up so, or accept it; serve --durability required refuses to start with it.';
    return warn('durability', `${durability}: ${detail ?? 'it may lose acknowledged writes.'}`, action);
  } catch (error) {
    return fail('durability', describeFailure(error), 'Bring the storage back; see its own log.');
  }
}

export async function probeClock(storage: StorageAdapter): Promise<Finding> {
  try {
    const askedMs = Date.now();
    const { at } = await storage.time(new Date(askedMs).toISOString());
    // The store answered in between: only what is outside of that is a difference.
    const offset = clockDistance(Date.parse(at), askedMs, Date.now());
    return clockFinding(offset, 'the storage');
  } catch (error) {
    return fail('clock', describeFailure(error), 'Bring the storage back; see its own log.');
  }
}

/** Returns the finding for a difference to another clock. A positive difference means that this machine is ahead. */
export function clockFinding(offsetMs: number, source: string): Finding {
  const text = `This machine is ${Math.abs(offsetMs)} ms ${offsetMs < 0 ? 'behind' : 'ahead of'} ${source}.`;
  if (Math.abs(offsetMs) <= MAX_OFF_MS) return ok('clock', text);
  return fail('clock', text, 'Set the clocks by NTP: while they differ by more than 5 s nothing is purged.');
}

export async function countRecords(storage: StorageAdapter): Promise<Finding> {
  try {
    const counts: string[] = [];
    for (const collection of ['accounts', 'passports', 'keys'] as const) {
      const { length } = await storage.list(collection, { where: {}, limit: MAX_PAGE_SIZE });
      counts.push(`${collection}: ${length}${length < MAX_PAGE_SIZE ? '' : ' or more'}`);
    }
    return ok('records', `${counts.join(', ')}.`);
  } catch (error) {
    return fail('records', describeFailure(error), 'See the finding on reading.');
  }
}

const MAX_READ = 100;

/** Searches the subjects of the newest verdicts for e-mail addresses. Then closes the storage. */
export async function probeSubjects(storage: StorageAdapter): Promise<Finding> {
  const service = createIdentityService({
    storage,
    storageDeadlineMs: COMMAND_DEADLINE_MS,
    log: () => undefined,
  });
  try {
    const { data: accounts } = await service.accounts.list({ limit: MAX_READ });
    for (const account_id of ['acc_local', ...accounts.map(({ id }) => id)]) {
      const { data } = await service.verifications.list({ limit: MAX_READ }, { account_id });
      if (!data.some(({ subject }) => subject?.includes('@'))) continue;
      const action =
        'Name subjects by your own opaque ids, because everyone who may read a verdict record sees them.';
      return warn(
        'subjects',
        `Subjects in the verdicts of ${account_id} look like e-mail addresses.`,
        action,
      );
    }
    return ok('subjects', 'No subject of the newest verdicts looks like an e-mail address.');
  } catch (error) {
    return fail('subjects', describeFailure(error), 'See the finding on reading.');
  } finally {
    await service.close().catch(() => undefined);
  }
}
