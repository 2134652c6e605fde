/** Several nodes on one engine, with an account that is logged in. */
import { randomBytes } from 'node:crypto';
import { freePort } from '../support/private-servers.mjs';
import { createClient } from './client.mjs';
import { ACCOUNT, startNode } from './node-process.mjs';

export const DOMAIN = 'example.com';

/** What is asked of every passport, and what it says for that to be an ALLOW. */
export const ACTION = 'payments.create';
const AMOUNT = 50;
export const ALLOWING = { allowed_actions: [ACTION, 'orders.*'], monetary_limit_per_txn: 100 };

/** The given number of nodes, all answering; `close` ends them. `options` are those of `startNode`. */
export async function openSite(engine, { count = 3, ...options } = {}) {
  const start = async (port) => {
    const process = await startNode({ storage: engine.url, ...options, port });
    return { process, ...createClient(process.origin) };
  };
  // The first one makes the tables and the account.
  const nodes = [await start(await freePort())];
  const site = { nodes, token: '', account_id: '', start, close };

  async function close() {
    for (const { close: closeClient } of nodes) closeClient();
    await Promise.all(nodes.map(({ process }) => process.kill()));
  }

  try {
    const others = Array.from({ length: count - 1 }, async () => start(await freePort()));
    for (const started of await Promise.allSettled(others)) {
      if (started.status === 'rejected') throw started.reason;
      nodes.push(started.value);
    }
    const [{ get }] = nodes;
    site.token = (await get('POST', '/auth/login', { json: ACCOUNT })).access_token;
    site.account_id = (await get('GET', '/account', { token: site.token })).id;
    return site;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A passport that allows what is asked, made through `node`. */
export function issuePassport(node, token) {
  const json = { domain: DOMAIN, agent_name: newName(), ...ALLOWING };
  return node.get('POST', '/passports', { token, json, headers: { 'idempotency-key': json.agent_name } });
}

/** A key that may verify, made through `node`. */
export function makeKey(node, token) {
  return node.get('POST', '/keys', { token, json: { name: newName(), scopes: ['verify'] } });
}

/** Asks `node` whether the agent may do what every passport here allows. */
export function verify(node, key, agent_id) {
  return node.ask('POST', '/verify', { key, json: intentOn(agent_id) });
}

/** The question that is asked about every agent. */
export function intentOn(agent_id) {
  return { agent_id, action: ACTION, parameters: { amount: AMOUNT } };
}

/** A name that no other agent or key has. */
export function newName() {
  return `a${randomBytes(9).toString('hex')}`;
}
