/**
 * Whatever may bring a passport back, at once with its revocation, through different nodes: PATCH, suspend,
 * reinstate, a second issue of the same agent, and verifications that read it into every node's memory.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from './engines.mjs';
import { DOMAIN, intentOn, makeKey, newName, verify } from './site.mjs';

const LANES = 3;
/** Races that run at once in each lane. */
const AT_ONCE = 8;
/** A request runs against the others within this. */
const SPREAD_MS = 15;
const READ_MS = 3;
const MAX_TRIES = 100;
/** From then on every node knows. */
const BOUND_MS = 1_000;

/** Runs the given number of races; their outcomes. */
export async function raceRevocations({ site, engine, total, random }) {
  const [node] = site.nodes;
  const run = { site, random, total, left: total, firstProblem: undefined };
  Object.assign(run, { raced: [], lost: [], backwards: 0, won: 0, refused: 0, unclear: 0, problems: [] });
  run.key = (await makeKey(node, site.token)).key;
  await Promise.all(Array.from({ length: LANES }, () => raceInLane(run)));
  // For ever is longer than a second: all of them again, and what the store itself says.
  await Promise.all(site.nodes.map((each) => checkVerdicts(run, each, run.raced)));
  await checkStore(run, engine.url);
  return run;
}

async function raceInLane(run) {
  while (run.left > 0 && run.unclear <= run.total) {
    const size = Math.min(AT_ONCE, run.left);
    run.left -= size;
    const raced = (await Promise.all(Array.from({ length: size }, () => race(run)))).filter(Boolean);
    // Without the acknowledgement there was no race.
    run.left += size - raced.length;
    await pause(BOUND_MS + 1);
    await Promise.all(run.site.nodes.map((node) => checkVerdicts(run, node, raced)));
    await Promise.all(raced.map((one) => checkEnd(run, one)));
    run.raced.push(...raced);
  }
}

/** One race; its passport once the revocation is acknowledged, undefined where it is not. */
async function race(run) {
  const { site, random, key } = run;
  const [a, b, c] = site.nodes
    .map((node) => [random(), node])
    .sort(([x], [y]) => x - y)
    .map(([, node]) => node);
  const agent_name = newName();
  const one = { agent_id: `did:web:${DOMAIN}:agents:${agent_name}`, agent_name, version: 1 };
  // Some are issued in the race itself, while every node has just looked for them in vain.
  const isIssued = random() < 0.7 && (await change(run, a, 'issue', one))?.status === 201;
  const readers = site.nodes.map((node) => readOn(run, node, key, one));
  const later = async (work) => {
    await pause(random() * SPREAD_MS);
    return work();
  };
  const issues = [a, c].map((node) => later(() => change(run, node, 'issue', one)));
  const others = [
    ['patch', a],
    ['suspend', c],
    ['reinstate', c],
    ['patch', c],
  ].map(([what, node]) => later(() => change(run, node, what, one)));
  const revoked = await later(() => revoke(run, b, one));
  const issued = await Promise.all(issues);
  const answers = [...issued, ...(await Promise.all(others))];
  one.isOver = true;
  await Promise.all(readers);
  const made = issued.filter((answer) => answer?.status === 201).length;
  if (made > (isIssued ? 0 : 1)) run.problems.push(`${one.agent_id} was issued again`);
  run.won += answers.filter((answer) => answer?.status < 300).length;
  run.refused += answers.filter((answer) => answer?.status === 409).length;
  if (revoked?.status === 200) return one;
  run.unclear += 1;
  return undefined;
}

/** As soon as there is something to revoke. */
async function revoke(run, node, one) {
  for (let tries = 1; ; tries += 1) {
    const answer = await change(run, node, 'revoke', one);
    if (answer?.status !== 404 || tries === MAX_TRIES) return answer;
  }
}

/** Keeps the passport in the memory of the node, and looks that its version never goes back there. */
async function readOn(run, node, key, one) {
  for (let last = 0; one.isOver !== true; ) {
    const answer = await verify(node, key, one.agent_id).catch(() => undefined);
    if (answer?.status === 200) {
      const version = answer.body.passport_version ?? 0;
      if (version < last) run.backwards += 1;
      last = version;
    }
    await pause(READ_MS);
  }
}

/** One of the requests of a race; undefined when it was not decided. */
async function change(run, node, what, { agent_id, agent_name }) {
  const { token } = run.site;
  const [method, path, json] = {
    revoke: ['POST', '/revoke', { agent_id }],
    suspend: ['POST', '/suspend', { agent_id }],
    reinstate: ['POST', '/reinstate', { agent_id }],
    patch: ['PATCH', `/passports/${encodeURIComponent(agent_id)}`, { description: `${run.random()}` }],
    issue: [
      'POST',
      '/passports',
      { domain: DOMAIN, agent_name, allowed_actions: ['*'], monetary_limit_per_txn: 100 },
    ],
  }[what];
  const answer = await node.ask(method, path, { token, json }).catch((error) => ({ error }));
  if (answer.status < 500) return answer;
  run.firstProblem ??= answer.error?.message ?? `${method} ${path}: ${answer.status} ${answer.body.code}`;
  return undefined;
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
