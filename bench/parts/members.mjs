/** Measures members: sessions, the login of an application, pages of members and of changes, and approvals. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createIdentityService } from 'agent-identity-service';
import { fetchHandler } from 'agent-identity-service/http';
import { people } from 'agent-identity-service/people';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { jwtVerify } from 'jose';
import { ENGINES } from '../lib/engines.mjs';
import { finish, progress, ratioOf, readTask, withRatios } from '../lib/part.mjs';
import { measure, promising } from '../lib/rounds.mjs';
import { openService } from '../lib/service.mjs';
import { column, timeColumns } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';

const { isQuick } = readTask();
const ROUNDS = isQuick ? 1 : 15;
const CALLS = isQuick ? 50 : 500;
const BATCH = 50;
const OF = `batches of ${BATCH}`;
const PEOPLE = isQuick ? 20 : 1_000;
const CHANGES = isQuick ? { few: 100, many: 1_000 } : { few: 1_000, many: 100_000 };
const PAGE = { limit: isQuick ? 10 : 50 };
const SECRET = 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!';
const tables = [];
const targets = [];

for (const name of ['memory', 'sqlite']) {
  const engine = await ENGINES[name]();
  try {
    await measureStorage(name, engine);
  } finally {
    await engine.remove();
  }
}
await measureHostLogin();
await measureApprovals();
finish({ tables, targets });

async function measureStorage(name, engine) {
  const storage = await engine.open();
  // Many records are made at once, which may take a disk longer than a second.
  const { service, account_id, login } = await openService([], { storage, storageDeadlineMs: 60_000 });
  const { access_token: token } = await login();
  const spared = await withMemberInHand(storage, service, token);
  const [byHand, inHand, whole] = [
    'its JWT and two reads, by hand',
    'its member in hand',
    'authenticateSession',
  ];
  const sessions = [
    promising(byHand, await checkByHand(storage, token)),
    promising(inHand, () => spared.authenticateSession(token)),
    promising(whole, () => service.authenticateSession(token)),
  ];
  await assertSessions(sessions);
  const checks = await timed(`${name}: sessions`, sessions);
  await spared.close();
  tables.push({
    title: `The check of a session, ${name}`,
    note: 'Session, account and member are read for each request, and never from memory.',
    columns: timeColumns('x by hand', OF),
    rows: withRatios(checks, byHand),
  });
  targets.push(
    target(`a session check / one with its member in hand, ${name}`, ratioOf(checks, whole, inHand), {
      atMost: 1.2,
    }),
  );

  progress(`${name}: ${PEOPLE} members and keys`);
  // The owner is a member, and the account has a key.
  await inChunks(PEOPLE - 1, (index) =>
    Promise.all([
      service.members.invite({ role: 'viewer', name: `Person ${index}` }, { account_id }),
      service.keys.create({ name: `key ${index}` }, { account_id }),
    ]),
  );
  const [few, many] = [
    await changesOf(storage, service, CHANGES.few),
    await changesOf(storage, service, CHANGES.many),
  ];
  const [ofKeys, ofMembers] = [`a page of ${PEOPLE} keys`, `a page of ${PEOPLE} members`];
  const [ofFew, ofMany] = [`a page of ${CHANGES.few} changes`, `a page of ${CHANGES.many} changes`];
  const pages = [
    promising(ofKeys, () => service.keys.list(PAGE, { account_id })),
    promising(ofMembers, () => service.members.list(PAGE, { account_id })),
    promising(ofFew, () => service.audit.list(PAGE, { account_id: few })),
    promising(ofMany, () => service.audit.list(PAGE, { account_id: many })),
  ];
  for (const { name: page, answer } of pages) {
    const { data, has_more } = await answer();
    if (data.length !== PAGE.limit || !has_more) throw new Error(`${page} is not full.`);
  }
  const figures = await timed(`${name}: pages`, pages);
  tables.push({
    title: `Pages of ${PAGE.limit} records, ${name}`,
    columns: timeColumns('x keys', OF),
    rows: withRatios(figures, ofKeys),
  });
  targets.push(
    target(`${ofMembers} / of keys, ${name}`, ratioOf(figures, ofMembers, ofKeys), { atMost: 1.2 }),
    target(`${ofMany} / of ${CHANGES.few}, ${name}`, ratioOf(figures, ofMany, ofFew), { atMost: 1.2 }),
  );
  await service.close();
}

/** Opens the same service over a storage that does not read the member of the token. */
async function withMemberInHand(storage, service, token) {
  const { member_id } = await service.authenticateSession(token);
  const known = Promise.resolve(await storage.get('members', member_id));
  const get = (collection, id) =>
    collection === 'members' && id === member_id ? known : storage.get(collection, id);
  return createIdentityService({
    storage: { ...storage, get, close: async () => {} },
    session: { secret: SECRET },
    capabilities: [people()],
  });
}

/** Creates a check of the minimum by hand: the token, its session and the account. */
async function checkByHand(storage, token) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = new TextEncoder().encode(SECRET);
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  const { iss: issuer, aud: audience } = JSON.parse(atob(token.split('.')[1]));
  const options = {
    ...{ algorithms: ['HS256'], issuer, audience, typ: 'ais-session+jwt', clockTolerance: 5 },
    requiredClaims: ['sub', 'jti', 'iat', 'exp'],
  };
  return async () => {
    const { payload } = await jwtVerify(token, key, options);
    const session = await storage.get('sessions', payload.jti);
    if (session === undefined || session.revoked_at !== null) throw new Error('The session has ended.');
    const account = await storage.get('accounts', payload.sub);
    if (account === undefined || account.disabled_at !== null) throw new Error('The account is gone.');
    return { account_id: account.id };
  };
}

async function assertSessions(contestants) {
  const answers = await Promise.all(contestants.map(({ answer }) => answer()));
  if (new Set(answers.map(({ account_id }) => account_id)).size !== 1) throw new Error('Another account.');
}

/** Creates an account with `count` changes, and returns its id. A member makes the changes, one millisecond apart. */
async function changesOf(storage, service, count) {
  const { id: account_id } = await service.accounts.create({
    email: `changes-${count}@example.com`,
    password: 'a password for the bench',
  });
  const [template] = await storage.list('events', { where: { account_id }, limit: 1 });
  const startedAt = Date.parse(template.created_at);
  const insertOf = (index) => {
    const id = `${base62(startedAt - index, 8)}c${base62(index, 16)}.${account_id}`;
    const created_at = new Date(startedAt - index).toISOString();
    const type = 'member.updated';
    const data = { member_id: `mem_${base62(index % 100, 22)}`, role: 'viewer', changed_by: 'operator' };
    return { op: 'insert', collection: 'events', record: { ...template, id, created_at, type, data } };
  };
  for (let from = 1; from < count; from += 500) {
    const steps = Array.from({ length: Math.min(500, count - from) }, (_, index) => insertOf(from + index));
    if (!(await storage.write(steps)).written) throw new Error('The changes were not stored.');
  }
  return account_id;
}

function base62(number, digits) {
  const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let rest = number; text.length < digits; rest = Math.floor(rest / 62))
    text = ALPHABET[rest % 62] + text;
  return text;
}

async function inChunks(count, make) {
  for (let from = 0; from < count; from += 50) {
    const length = Math.min(50, count - from);
    await Promise.all(Array.from({ length }, (_, index) => make(from + index)));
  }
}

async function measureHostLogin() {
  const { service, login } = await openService([]);
  const { access_token } = await login();
  const person = { account: 'acme', member: 'ann', role: 'owner', name: 'Ann', email: 'ann@example.com' };
  const ask = (handle, headers) => async () => {
    const response = await handle(new Request('https://id.example/api/account', { headers }));
    if (response.status !== 200) throw new Error(`GET /account: ${response.status}`);
    return response.json();
  };
  const [byJwt, byLogin] = ['GET /account by a JWT', 'GET /account by an application login'];
  const contestants = [
    promising(byJwt, ask(fetchHandler(service), { authorization: `Bearer ${access_token}` })),
    promising(byLogin, ask(fetchHandler(service, { authenticate: () => person }), {})),
  ];
  for (const { name, answer } of contestants) {
    if ((await answer()).member?.role !== 'owner') throw new Error(`${name} shows another person.`);
  }
  const figures = await timed('logins', contestants);
  await service.close();
  tables.push({
    title: 'GET /account in process, by the handler for Fetch',
    note: 'Memory storage. The hook answers at once.',
    columns: timeColumns('x by a JWT', OF),
    rows: withRatios(figures, byJwt),
  });
  targets.push(target('GET /account, own login / JWT', ratioOf(figures, byLogin, byJwt), { atMost: 1 }));
}

/** Counts the round trips to use an approval, which are storage calls that wait for each other. */
async function measureApprovals() {
  const trips = { count: 0 };
  const { service, account_id, key } = await openService([], { storage: inTrips(memoryStorage(), trips) });
  const actor = { account_id };
  const approvers = [];
  for (const name of ['Ben', 'Cy']) {
    const { link } = await service.members.invite({ role: 'approver', name }, actor);
    const email = `${name}@example.com`;
    const { access_token } = await service.acceptLink({
      token: link.token,
      password: 'a password of 12',
      email,
    });
    approvers.push(await service.authenticateSession(access_token));
  }
  const rows = [];
  for (const [name, approval, deciders] of [
    ['decided by an account', {}, [actor]],
    ['decided by one member', {}, approvers.slice(0, 1)],
    ['decided by two others', { count: 2, by: 'another' }, approvers],
  ]) {
    progress(`approvals: ${name}`);
    const agent_name = name.replaceAll(' ', '-');
    const actions = ['payments.create'];
    const passport = {
      allowed_actions: actions,
      monetary_limit_per_txn: 10,
      approval: { actions, ...approval },
    };
    const { agent_id } = await service.passports.create(
      { domain: 'shop.example', agent_name, ...passport },
      { account_id, member_id: approvers[0] && `mem_${account_id.slice('acc_'.length)}` },
    );
    const ask = (more) => service.verifyAs(key, { agent_id, action: actions[0], ...more });
    const { reasons } = await ask();
    const { approval_id } = reasons[0];
    for (const decider of deciders) await service.approvals.approve(approval_id, {}, decider);
    // Nothing else is under way.
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    const before = trips.count;
    const { verdict } = await ask({ approval_id });
    if (verdict !== 'ALLOW') throw new Error(`${name}: ${verdict}`);
    rows.push({ name, trips: trips.count - before });
  }
  await service.close();
  tables.push({
    title: 'The use of an approval',
    note: 'Round trips: calls of the storage that wait for those before. Passports and keys are in memory.',
    columns: [column('trips', 'round trips', 'count')],
    rows,
  });
  targets.push(
    target('round trips more for two other people than for an account', rows[2].trips - rows[0].trips, {
      atMost: 1,
      unit: 'count',
    }),
  );
}

/**
 * Wraps the storage so that calls are answered in batches. A batch is one round trip, and all calls that arrive
 * meanwhile wait for the next batch.
 */
function inTrips(storage, trips) {
  let trip;
  const startOf = () => {
    trip ??= nextTurn().then(() => {
      trip = undefined;
      trips.count += 1;
    });
    return trip;
  };
  const counted =
    (name) =>
    async (...given) => {
      await startOf();
      return storage[name](...given);
    };
  return {
    ...storage,
    ...Object.fromEntries(['get', 'list', 'count', 'write'].map((name) => [name, counted(name)])),
  };
}

function timed(label, contestants) {
  const inputs = () => Array.from({ length: CALLS });
  const report = (round, of) => progress(`${label}: round ${round} of ${of}`);
  return measure(contestants, { inputs, rounds: ROUNDS, batch: BATCH, report });
}
