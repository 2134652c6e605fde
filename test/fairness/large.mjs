/** Requests over records that are as large as they may be, or were: of passports above each other, and of events. */
import { LOUD } from './records.mjs';

const PASSPORTS = 5;
const PATTERNS = 256;
const EVENTS = 600;
/** What a passport with full lists had before passports had a size. */
const EVENT_BYTES = 162_000;
const STREAMS = 5;
const CHANGES = { types: ['passport.*'] };

/** By name, as the others. */
export const LARGE_REQUESTS = [
  [
    `what ${PASSPORTS} passports with ${PATTERNS} patterns each allow together, 10 times`,
    async ({ service, found }) => {
      for (; found.pieces < 10; found.pieces += 1)
        await service.passports.effective(agentOf(PASSPORTS - 1), LOUD);
    },
  ],
  [`${STREAMS} streams over ${EVENTS} events of ${EVENT_BYTES / 1_000} kB`, streams],
];

/** What they are asked of. */
export async function fillLarge(storage, service) {
  for (let at = 0; at < PASSPORTS; at += 1) {
    const above = at === 0 ? {} : { parent_agent_id: agentOf(at - 1) };
    await service.passports.create({ ...passportOf(at), ...above }, LOUD);
  }
  const [first] = await storage.list('passport_versions', { where: { agent_id: agentOf(0) }, limit: 1 });
  for (let version = 2; version < EVENTS + 2; version += 1) {
    await storage.write([
      { op: 'insert', collection: 'events', record: eventOf(version) },
      { op: 'insert', collection: 'passport_versions', record: versionOf(first, version) },
    ]);
  }
}

function agentOf(at) {
  return `did:web:chain.example:agents:a${at}`;
}

/** None of its patterns is that of another, and each host is looked at as Punycode. */
function passportOf(at) {
  const hosts = Array.from({ length: PATTERNS - 1 }, (_, index) => `xn--bcher-kva.x${index}.y${at}`);
  return {
    domain: 'chain.example',
    agent_name: `a${at}`,
    allowed_actions: ['orders.*'],
    allowed_targets: ['did:web:*.chain.example', ...hosts.map((host) => `did:web:*.${host}.chain.example`)],
    monetary_limit_per_txn: 1,
  };
}

/** As the service files them: by an instant in base62, 16 characters, and the account. */
function eventOf(version) {
  const ms = Date.now() - 3_600_000 + version * 1_000;
  return {
    id: `${base62(ms)}c${String(version).padStart(16, '0')}.${LOUD.account_id}`,
    account_id: LOUD.account_id,
    version: 1,
    created_at: new Date(ms).toISOString(),
    type: 'passport.updated',
    expires_at: new Date(ms + 7 * 86_400_000).toISOString(),
    data: { agent_id: agentOf(0), version, changed_by: LOUD.account_id },
  };
}

function versionOf(first, version) {
  const allowed_targets = Array.from({ length: PATTERNS }, text);
  const id = `${agentOf(0)}@${String(version).padStart(10, '0')}`;
  return { ...first, id, passport: { ...first.passport, version, allowed_targets } };
}

function text(_, index) {
  return `did:web:${index}.`.padEnd(EVENT_BYTES / PATTERNS - 3, 'x');
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(ms) {
  let digits = '';
  for (let rest = ms; digits.length < 8; rest = Math.floor(rest / 62)) digits = DIGITS[rest % 62] + digits;
  return digits;
}

/** Behind an event that was never issued, so that they begin with the oldest that is kept. */
async function streams({ service, found, streamsMs }) {
  const after = `evt_${base62(Date.now() - 30 * 86_400_000)}c${'0'.repeat(16)}`;
  const end = performance.now() + streamsMs;
  const read = async () => {
    const stream = await service.events.open({ ...CHANGES, after }, LOUD);
    for (let count = 0; count < EVENTS && performance.now() < end; found.pieces += 1) {
      count += (await stream.read(100))?.length ?? EVENTS;
    }
    stream.close();
  };
  await Promise.all(Array.from({ length: STREAMS }, read));
}
