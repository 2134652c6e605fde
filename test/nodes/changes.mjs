/**
 * Changes of every kind under a load of verifications through all nodes: every verdict is evaluated by the instant in
 * which its request started, against the acknowledgements that had come by then.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ALLOWING, issuePassport, makeKey, verify } from './site.mjs';
import { createTimeline, evaluate, expectChange } from './timeline.mjs';

const PASSPORT_WORKERS = 4;
const KEY_WORKERS = 2;
const GRACE_WORKERS = 2;
const READERS = 2;
/** Who asks seldom: what a node has in memory is then as old as it may get. */
const COLD_WORKERS = 4;
const COLD_MS = 1_200;
/** How many subjects the readers choose from; those that have ended stay among them. */
const POOL = 400;
/** Between two verifications of one watcher or reader. */
const WATCH_MS = 4;
const READ_MS = 2;
/** A change that is not seen for this long counts as lost. */
const GIVE_UP_MS = 5_000;
const GRACE_SECONDS = 1;
/** A machine that has too little time for all of this may refuse some: this share of the changes. */
const MAX_REFUSED = 0.1;
const REFUSED_MS = 100;
/** The instant at which a grace ends is known to the millisecond, twice. */
const CLOCK_MS = 3;

/** What is done to a passport in pairs: the first one denies, the second one allows again. */
const PAIRS = [
  [
    ['suspend', (agent_id) => ['POST', '/suspend', { agent_id }]],
    ['reinstate', (agent_id) => ['POST', '/reinstate', { agent_id }]],
  ],
  [
    ['limit lowered', patch({ monetary_limit_per_txn: 10 })],
    ['limit raised', patch({ monetary_limit_per_txn: ALLOWING.monetary_limit_per_txn })],
  ],
  [
    ['action taken', patch({ allowed_actions: ['orders.*'] })],
    ['action given', patch({ allowed_actions: ALLOWING.allowed_actions })],
  ],
];
const REVOKE = ['revoke', (agent_id) => ['POST', '/revoke', { agent_id }]];

/** Makes `total` changes; their outcomes and those of the verifications. `random` gives numbers from 0 to 1. */
export async function makeChanges({ site, total, random, say }) {
  const run = { site, random, total, left: total, pool: [], changes: [], isOver: false, ...NOTHING };
  run.evaluated = { fresh: 0, older: 0, 'stale ALLOW': 0, 'stale DENY': 0, wrong: 0 };
  const started = performance.now();
  const [node] = site.nodes;
  run.key = (await makeKey(node, site.token)).key;
  // Something to read for the first reader.
  remember(run, await newPassport(run));
  const { agent_id } = run.pool[0];
  const workers = [
    ...Array.from({ length: PASSPORT_WORKERS }, () => keepOn(run, () => changePassport(run))),
    ...Array.from({ length: KEY_WORKERS }, () => keepOn(run, () => changeKeys(run, agent_id))),
    ...Array.from({ length: GRACE_WORKERS }, () => keepOn(run, () => endByGrace(run, agent_id))),
    ...Array.from({ length: COLD_WORKERS }, (_, index) =>
      keepOn(run, () => (index % 2 === 0 ? changePassport(run, true) : changeKeys(run, agent_id, true))),
    ),
  ];
  const readers = Array.from({ length: READERS }, () => read(run));
  const progress = setInterval(() => say(`${total - Math.max(0, run.left)} of ${total} changes`), 10_000);
  try {
    await Promise.all(workers);
  } finally {
    clearInterval(progress);
    run.isOver = true;
    run.left = 0;
    await Promise.allSettled([...workers, ...readers]);
  }
  // Once more, when nothing changes any more: what has ended stays ended.
  for (const subject of run.pool) await Promise.all(site.nodes.map((each) => observe(run, subject, each)));
  return { ...run, seconds: (performance.now() - started) / 1_000 };
}

const NOTHING = { undecided: 0, neverSeen: 0, refused: 0, firstProblem: undefined };

/** One life after another. A change that was refused may have happened all the same: its subject is let go. */
async function keepOn(run, live) {
  while (run.left > 0) {
    try {
      await live();
    } catch (error) {
      run.refused += 1;
      run.firstProblem ??= error.message;
      if (run.refused > MAX_REFUSED * run.total) throw error;
      await pause(REFUSED_MS);
    }
  }
}

/** A passport from its issue to its end. */
async function changePassport(run, isCold = false) {
  const subject = { ...(await newPassport(run)), isCold };
  await enter(run, subject);
  const pairs = PAIRS.map((pair) => [run.random(), pair]).sort(([a], [b]) => a - b);
  for (const [, [denying, allowing]] of pairs) {
    await changeOnce(run, subject, denying, 'DENY');
    await changeOnce(run, subject, allowing, 'ALLOW');
  }
  await changeOnce(run, subject, REVOKE, 'DENY');
  if (isCold) remember(run, subject);
}

async function newPassport(run) {
  const { agent_id } = await issuePassport(anyNode(run), run.site.token);
  const seenOf = ({ status, body }) => (status === 200 ? body.passport_version - 1 : undefined);
  return { agent_id, key: run.key, timeline: createTimeline('ALLOW'), seenOf };
}

function changeOnce(run, subject, [kind, requestOf], verdict) {
  const [method, path, json] = requestOf(subject.agent_id);
  return follow(run, subject, kind, verdict, () => send(run, method, path, json));
}

/** A key that is revoked, and one that is rotated. */
async function changeKeys(run, agent_id, isCold = false) {
  await revokeKey(run, await newKey(run, agent_id, isCold));
  await rotateKey(run, await newKey(run, agent_id, isCold));
}

async function endByGrace(run, agent_id) {
  await rotateWithGrace(run, await newKey(run, agent_id));
}

async function newKey(run, agent_id, isCold = false) {
  const subject = { ...keySubject(agent_id, await makeKey(anyNode(run), run.site.token)), isCold };
  await enter(run, subject);
  return subject;
}

/** What is cold is kept from the readers. */
async function enter(run, subject) {
  if (!subject.isCold) remember(run, subject);
  await warm(run, subject);
}

function keySubject(agent_id, { id, key }) {
  const seenOf = ({ status }) => ({ 200: 0, 401: 1 })[status];
  return { id, key, agent_id, timeline: createTimeline('ALLOW'), seenOf };
}

function revokeKey(run, subject) {
  return follow(run, subject, 'key revoked', 'DENY', () => send(run, 'DELETE', `/keys/${subject.id}`));
}

function rotateKey(run, subject) {
  return follow(run, subject, 'key rotated', 'DENY', async () => {
    const answer = await send(run, 'POST', `/keys/${subject.id}/rotate`, {});
    remember(run, keySubject(subject.agent_id, answer.body));
    return answer;
  });
}

function rotateWithGrace(run, subject) {
  return follow(run, subject, 'key rotated with grace', 'DENY', async (state) => {
    const json = { grace_seconds: GRACE_SECONDS };
    const answer = await send(run, 'POST', `/keys/${subject.id}/rotate`, json);
    remember(run, keySubject(subject.agent_id, answer.body));
    const node = anyNode(run);
    const { expires_at } = await node.get('GET', `/keys/${subject.id}`, { token: run.site.token });
    const endsAt = performance.now() + Date.parse(expires_at) - Date.now();
    state.sentAt = endsAt - CLOCK_MS;
    return { endedAt: Math.max(answer.endedAt, endsAt + CLOCK_MS) };
  });
}

/** Makes one change while every node is asked, until each has decided by it; nothing when there are enough of them. */
async function follow(run, subject, kind, verdict, change) {
  if (run.left <= 0) return;
  run.left -= 1;
  if (subject.isCold) await warm(run, subject);
  const state = expectChange(subject.timeline, kind, verdict);
  state.isCold = subject.isCold === true;
  let watchers = subject.isCold ? [] : watchAll(run, subject, state);
  try {
    if (!subject.isCold) await pause(run.random() * 2 * WATCH_MS);
    state.effectiveAt = (await change(state)).endedAt;
    run.changes.push(state);
    if (subject.isCold) watchers = watchAll(run, subject, state, COLD_MS);
  } catch (error) {
    run.left += 1;
    state.isAbandoned = true;
    throw error;
  } finally {
    await Promise.all(watchers);
  }
}

/** One watcher for each node, which begins within the given milliseconds. */
function watchAll(run, subject, state, withinMs = 0) {
  return run.site.nodes.map((node) => watch(run, subject, node, state, run.random() * withinMs));
}

async function watch(run, subject, node, state, afterMs) {
  if (afterMs > 0) await pause(afterMs);
  const index = subject.timeline.indexOf(state);
  while (state.isAbandoned !== true) {
    const seen = await observe(run, subject, node);
    if (seen !== undefined && seen.index >= index && seen.startedAt > state.effectiveAt) return;
    if (performance.now() > state.effectiveAt + GIVE_UP_MS) {
      run.neverSeen += 1;
      return;
    }
    await pause(WATCH_MS);
  }
}

async function read(run) {
  while (!run.isOver) {
    const subject = run.pool[Math.floor(run.random() * run.pool.length)];
    await observe(run, subject, anyNode(run));
    await pause(READ_MS);
  }
}

/** Every node has it in memory. */
function warm(run, subject) {
  return Promise.all(run.site.nodes.map((node) => observe(run, subject, node)));
}

/** One verification, evaluated; undefined if it was not decided. */
async function observe(run, subject, node) {
  const answer = await verify(node, subject.key, subject.agent_id).catch((error) => ({ error }));
  const index = answer.error === undefined ? subject.seenOf(answer) : undefined;
  if (index === undefined) {
    run.undecided += 1;
    run.firstProblem ??= answer.error?.message ?? `${answer.status} ${JSON.stringify(answer.body)}`;
    return undefined;
  }
  const { startedAt, endedAt, body } = answer;
  const { verdict = 'DENY' } = body;
  const seen = { node: node.origin, seen: index, verdict, startedAt, endedAt };
  const finding = evaluate(subject.timeline, seen);
  run.evaluated[finding] += 1;
  if (finding === 'wrong') run.firstProblem ??= JSON.stringify({ ...seen, body, states: subject.timeline });
  return { index, startedAt };
}

async function send(run, method, path, json) {
  const { token } = run.site;
  const answer = await anyNode(run).ask(method, path, { token, ...(json !== undefined && { json }) });
  if (answer.status < 300) return answer;
  throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

function remember(run, subject) {
  run.pool.push(subject);
  if (run.pool.length > POOL) run.pool.splice(Math.floor(run.random() * run.pool.length), 1);
  return subject;
}

function anyNode({ site, random }) {
  return site.nodes[Math.floor(random() * site.nodes.length)];
}

function patch(json) {
  return (agent_id) => ['PATCH', `/passports/${encodeURIComponent(agent_id)}`, json];
}
