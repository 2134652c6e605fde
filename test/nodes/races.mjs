/**
 * Whatever may bring a passport back, at once with its revocation, through different nodes: PATCH, suspend,
 * reinstate, a second issue of the same agent, and verifications that read it into every node's memory.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from './engines.mjs';
import { DOMAIN, intentOn, issuePassport, makeKey, verify } from './site.mjs';

const LANES = 3;
/** Races that run at once in each lane. */
const AT_ONCE = 8;
/** A request runs against the others within this. */
const SPREAD_MS = 15;
const READ_MS = 3;
/** From then on every node knows. */
const BOUND_MS = 1_000;

/** Runs so many races; what came of them. */
export async function raceRevocations({ site, engine, total, random, say }) {
  const [node] = site.nodes;
  const run = { site, random, left: total, say };
  Object.assign(run, { raced: [], lost: [], backwards: 0, won: 0, refused: 0, unclear: 0, problems: [] });
  run.key = (await makeKey(node, site.token)).key;
  await Promise.all(Array.from({ length: LANES }, () => raceInLane(run)));
  // For ever is longer than a second: all of them again, and what the store itself says.
  await Promise.all(site.nodes.map((each) => checkVerdicts(run, each, run.raced)));
  await checkStore(run, engine.url);
  return run;
}

async function raceInLane(run) {
  while (run.left > 0) {
    const size = Math.min(AT_ONCE, run.left);
    run.left -= size;
    const raced = (await Promise.all(Array.from({ length: size }, () => race(run)))).filter(Boolean);
    await pause(BOUND_MS + 1);
    await Promise.all(run.site.nodes.map((node) => checkVerdicts(run, node, raced)));
    await Promise.all(raced.map((one) => checkEnd(run, one)));
    run.raced.push(...raced);
  }
}

/** One race; its passport once the revocation is acknowledged, undefined where it is not. */
async function race(run) {
  const { site, random, key } = run;
  const { agent_id, agent_name } = await issuePassport(site.nodes[0], site.token);
  const [a, b, c] = site.nodes.map((node) => [random(), node]).sort(([x], [y]) => x - y);
  const one = { agent_id, agent_name, version: 1 };
  const later = async (work) => {
    await pause(random() * SPREAD_MS);
    return work();
  };
  const others = [
    ['patch', a],
    ['suspend', c],
    ['reinstate', c],
    ['issue', a],
    ['patch', c],
  ].map(([what, [, node]]) => later(() => change(run, node, what, one)));
  const readers = site.nodes.map((node) => readUntilRevoked(run, node, key, one));
  const revoked = await later(() => change(run, b[1], 'revoke', one));
  one.revokedAt = revoked?.endedAt ?? Infinity;
  one.isOver = true;
  const answers = await Promise.all(others);
  await Promise.all(readers);
  run.won += answers.filter((answer) => answer?.status < 300).length;
  run.refused += answers.filter((answer) => answer?.status === 409).length;
  if (revoked?.status === 200) return one;
  run.unclear += 1;
  return undefined;
}

/** Keeps the passport in the memory of the node, and looks that its version never goes back there. */
async function readUntilRevoked(run, node, key, one) {
  for (let last = 0; one.isOver !== true; ) {
    const answer = await verify(node, key, one.agent_id).catch(() => undefined);
    const version = answer?.body.passport_version ?? last;
    if (version < last) run.backwards += 1;
    last = version;
    await pause(READ_MS);
  }
}

/** One of the requests of a race; undefined when it was not decided. */
async function change({ site: { token }, random }, node, what, { agent_id, agent_name }) {
  const [method, path, json] = {
    revoke: ['POST', '/revoke', { agent_id }],
    suspend: ['POST', '/suspend', { agent_id }],
    reinstate: ['POST', '/reinstate', { agent_id }],
    patch: ['PATCH', `/passports/${encodeURIComponent(agent_id)}`, { description: `${random()}` }],
    issue: [
      'POST',
      '/passports',
      { domain: DOMAIN, agent_name, allowed_actions: ['*'], monetary_limit_per_txn: 100 },
    ],
  }[what];
  const answer = await node.ask(method, path, { token, json }).catch(() => undefined);
  return answer === undefined || answer.status >= 500 ? undefined : answer;
}

/** Every one of them is denied as revoked by this node. */
async function checkVerdicts(run, node, raced) {
  for (let at = 0; at < raced.length; at += 100) {
    const some = raced.slice(at, at + 100);
    const intents = some.map(({ agent_id }) => intentOn(agent_id));
    const { verdicts } = await node.get('POST', '/verify/batch', { key: run.key, json: { intents } });
    for (const [index, { verdict, reasons, passport_version }] of verdicts.entries()) {
      const one = some[index];
      const isDenied = verdict === 'DENY' && reasons.some(({ code }) => code === 'agent_revoked');
      if (!isDenied) run.lost.push(`${one.agent_id}: ${verdict} ${JSON.stringify(reasons)}`);
      if (passport_version < one.version) run.backwards += 1;
      one.version = Math.max(one.version, passport_version ?? 0);
    }
  }
}

/** Nothing brings it back afterwards either. */
async function checkEnd(run, one) {
  const node = run.site.nodes[Math.floor(run.random() * run.site.nodes.length)];
  for (const what of ['patch', 'suspend', 'reinstate', 'issue']) {
    const answer = await change(run, node, what, one);
    if (answer !== undefined && answer.status !== 409) {
      run.problems.push(`${what} of a revoked passport: ${answer.status}`);
    }
  }
}

/** Revoked, by its last version and by no other, in versions without a hole. */
async function checkStore(run, url) {
  const storage = await openStorage(url);
  try {
    for (const { agent_id, version } of run.raced) {
      const record = await storage.get('passports', agent_id);
      if (record?.status !== 'revoked') run.lost.push(`${agent_id} is ${record?.status} in the store`);
      const where = { agent_id, account_id: run.site.account_id };
      const versions = await storage.list('passport_versions', { where, limit: 100 });
      const whole = versions.map(({ passport }) => passport).sort((x, y) => x.version - y.version);
      const isGrowing = whole.every((passport, index) => passport.version === index + 1);
      if (!isGrowing || whole.at(-1)?.version !== record?.version || record?.version !== version) {
        run.problems.push(`${agent_id}: version ${record?.version}, seen ${version}, ${whole.length} rows`);
      }
      if (whole.filter(({ status }) => status === 'revoked').length !== 1) {
        run.problems.push(`${agent_id}: not revoked exactly once`);
      }
    }
  } finally {
    await storage.close();
  }
}
