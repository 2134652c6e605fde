/** Measures the cost of creating the status list of an account, on SQLite. Some of its passports are not valid. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentityService } from 'agent-identity-service';
import { identity } from 'agent-identity-service/identity';
import { sqliteStorage } from 'agent-identity-service/storage/sql';
import { createRandom } from './random.mjs';
import { median } from './stats.mjs';
import { column } from './table.mjs';
import { target } from './target.mjs';

const publicUrl = 'https://id.example.com/api';
/** The number of places in a status list, which is twice the number of its passports. */
const PLACES = 2 ** 20;
/** The number of passports in one write. */
const AT_A_TIME = 100;

/**
 * Measures CPU, the longest time that the event loop is blocked, and the length of the list. It does so for the first
 * list of a process and for later lists.
 */
export async function statusListFigures({ isQuick, isFull, rounds, report }) {
  const notValid = isQuick ? 100 : 5_000;
  const all = isQuick ? 200 : isFull ? 500_000 : 50_000;
  const folder = mkdtempSync(join(tmpdir(), 'bench-status-'));
  try {
    report('passports for a status list');
    const stage = await openStage(join(folder, 'list.db'));
    await fill(stage, { all, notValid });
    const found = [];
    for (let round = 0; round <= rounds; round += 1) {
      report(`status list: round ${round} of ${rounds}`);
      found.push(await lists(stage));
    }
    await stage.storage.close();
    return figuresOf(found.slice(1), { all, notValid });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function figuresOf(found, { all, notValid }) {
  const of = (which, what) => median(found.map((round) => round[which][what]));
  const row = (name, which) => ({
    name,
    cpu: of(which, 'cpuMs'),
    held: of(which, 'heldMs'),
    length: of(which, 'length'),
  });
  return {
    table: {
      title: `A status list of ${all.toLocaleString('en')} passports of which ${notValid.toLocaleString('en')} are not valid, on SQLite`,
      note: 'CPU of the process, all its threads. A process looks up each place once.',
      columns: [
        column('cpu', 'CPU', 'ms'),
        column('held', 'the event loop held at a time', 'ms'),
        column('length', 'length', 'bytes'),
      ],
      rows: [row('the first of a process', 'first'), row('later ones', 'later')],
    },
    targets: [
      target('a status list, CPU', of('later', 'cpuMs'), { atMost: 75, unit: 'ms' }),
      target('a status list, the event loop held at a time', of('later', 'heldMs'), {
        atMost: 10,
        unit: 'ms',
      }),
      target('a status list, length', of('later', 'length'), { atMost: 20_000, unit: 'bytes' }),
    ],
  };
}

async function openStage(file) {
  const storage = await sqliteStorage({ file });
  // Closing a service closes its storage: the others of this run go on with it.
  const shared = { ...storage, close: async () => {} };
  let now = Date.now();
  const clock = { now: () => now };
  const open = () =>
    createIdentityService({
      storage: shared,
      clock,
      capabilities: [identity({ secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!', publicUrl })],
    });
  return {
    storage,
    open,
    later: () => {
      now += 61_000;
    },
  };
}

/**
 * Adds passports to the storage, based on a passport that the service has created. They are in the same list, each at
 * its own place.
 */
async function fill({ storage, open }, { all, notValid }) {
  const service = open();
  const { agent_id } = await service.passports.create({
    domain: 'shop.example',
    agent_name: 'first',
    allowed_actions: ['payments.create', 'orders.*'],
    monetary_limit_per_txn: 100,
  });
  const passport = await storage.get('passports', agent_id);
  const slot = await storage.get('status_slots', agent_id);
  const freePlace = randomPlaces();
  let changes = [];
  for (let at = 0; at < all; at += 1) {
    const id = `${agent_id}-${at}`;
    const status = at >= notValid ? 'active' : at % 2 === 0 ? 'revoked' : 'suspended';
    const status_index = freePlace();
    const named = { agent_name: `first-${at}`, created_at: passport.created_at };
    changes.push(
      { op: 'insert', collection: 'passports', record: { ...passport, id, ...named, status } },
      { op: 'insert', collection: 'status_slots', record: { ...slot, id, agent_id: id, status_index } },
    );
    if (changes.length < 2 * AT_A_TIME && at < all - 1) continue;
    const { written } = await storage.write(changes);
    if (!written) throw new Error('The passports could not be stored.');
    changes = [];
  }
  await service.close();
}

/** Returns different random places, as the service chooses them. Adjacent places would compress better. */
function randomPlaces() {
  const random = createRandom(20_261_123);
  const taken = new Set();
  return () => {
    let place = 0;
    do {
      place = Math.floor(random() * PLACES);
    } while (taken.has(place));
    taken.add(place);
    return place;
  };
}

/** Measures the first list of a new service, and the next list. */
async function lists({ open, later, storage }) {
  const service = open();
  const slot = await storage.get('status_slots', 'did:web:shop.example:agents:first');
  await service.signing.jwks();
  const first = await cost(() => service.signing.statusList(slot.list_id));
  later();
  const next = await cost(() => service.signing.statusList(slot.list_id));
  await service.close();
  return { first, later: next };
}

async function cost(make) {
  let isMade = false;
  let heldMs = 0;
  let last = performance.now();
  const watch = () => {
    const now = performance.now();
    heldMs = Math.max(heldMs, now - last);
    last = now;
    if (!isMade) setImmediate(watch);
  };
  globalThis.gc?.();
  last = performance.now();
  setImmediate(watch);
  const before = process.cpuUsage();
  const { token } = await make();
  const { user, system } = process.cpuUsage(before);
  isMade = true;
  return { cpuMs: (user + system) / 1_000, heldMs, length: token.length };
}
