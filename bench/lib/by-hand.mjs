/** An HTTP listener written by hand. It does all that the service does for a verdict over HTTP, and nothing else. */
import { hash, randomBytes } from 'node:crypto';
import { decide, prepare } from 'agent-identity-service/verdict';
import { createBlockBuilder } from '../../dist/bench/blocks.js';

const ACCOUNT = 'acc_0000000000000000000000';
const KEY_ID = 'key_0000000000000000000000';
const LIMIT = 1_000_000_000;
const WINDOW_MS = 60_000;
const FLUSH_MS = 200;
/** The maximum number of full blocks, which is as many records as the storage in memory keeps. */
const BLOCKS = 122;

/** The fields that have the same value in every record. */
export const REST = {
  passport_version: 1,
  environment: 'live',
  key_id: KEY_ID,
  request_id: null,
  dry_run: false,
  trace_id: null,
  proof_kid: null,
  subject: null,
  approval_id: null,
  hold_seconds: null,
  verifier: null,
  permit_audience: null,
  budgets: [],
  ancestor_versions: null,
};

/** Returns the listener for these passports, with an API key that it accepts. */
export function handListener(passports) {
  const key = `ais_live_${randomBytes(24).toString('hex')}`;
  const keys = new Map([
    [digestOf(key), { account_id: ACCOUNT, scopes: new Set(['verify']), status: 'active' }],
  ]);
  const accounts = new Map([[ACCOUNT, { disabled: false, windowEnds: 0, used: 0 }]]);
  const agents = new Map(passports.map((passport) => entryOf(passport)));
  const journal = createJournal();
  const ids = { request: 0, decision: 0, prefix: `dec_${randomBytes(9).toString('hex')}` };

  const answer = (request, response, body) => {
    const startedAt = performance.now();
    const now = Date.now();
    const known = keys.get(digestOf(keyIn(request.rawHeaders)));
    if (known === undefined || known.status !== 'active') return refuse(response, 401);
    const account = accounts.get(known.account_id);
    if (account === undefined || account.disabled) return refuse(response, 401);
    if (!known.scopes.has('verify')) return refuse(response, 403);
    if (now >= account.windowEnds) Object.assign(account, { windowEnds: now + WINDOW_MS, used: 0 });
    account.used += 1;
    if (account.used > LIMIT) return refuse(response, 429);
    const intent = JSON.parse(body.toString());
    if (!isIntent(intent)) return refuse(response, 400);
    const agent = agents.get(intent.agent_id);
    const passport = agent?.account_id === known.account_id ? agent.prepared : undefined;
    const verdict = decide({ passport, intent, at: now });
    const id = ids.decision++;
    const record = recordOf(intent, verdict, { decision_id: ids.prefix + `${id}`.padStart(8, '0'), now });
    const request_id = `req_${`${ids.request++}`.padStart(20, '0')}`;
    send(response, JSON.stringify({ ...record, request_id }), { request_id, account, now });
    return journal.file(record, Math.ceil(Math.log2(1 + (performance.now() - startedAt) * 1e3)));
  };
  const listener = (request, response) => {
    if (request.method !== 'POST' || request.url !== '/api/verify') return refuse(response, 404);
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    return request.on('end', () =>
      answer(request, response, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)),
    );
  };
  return { listener, key };
}

function entryOf(passport) {
  const agent_id = `did:web:${passport.domain}:agents:${passport.agent_name}`;
  const nothing = { suspended_until: null, revoked_at: null };
  return [
    agent_id,
    { account_id: ACCOUNT, prepared: prepare({ ...passport, ...nothing, agent_id, version: 1 }) },
  ];
}

function digestOf(key) {
  return hash('sha256', key, 'hex');
}

function keyIn(rawHeaders) {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at].toLowerCase() === 'x-api-key') return rawHeaders[at + 1];
  }
  return '';
}

/** Checks the types of the fields that the listener reads. */
function isIntent({ agent_id, action, target, parameters }) {
  return (
    typeof agent_id === 'string' &&
    typeof action === 'string' &&
    (target === undefined || typeof target === 'string') &&
    (parameters === undefined || (typeof parameters === 'object' && parameters !== null))
  );
}

function recordOf(
  { agent_id, action, target = null, parameters },
  { verdict, reasons },
  { decision_id, now },
) {
  return {
    verdict,
    reasons,
    decision_id,
    agent_id,
    action,
    target,
    amount: parameters?.amount ?? null,
    currency: parameters?.currency ?? null,
    ...REST,
    evaluated_at: instantOf(now),
  };
}

let spelledMs = 0;
let spelled = '';

/** Returns the instant as text, and reuses the text within the same millisecond. */
function instantOf(now) {
  if (now !== spelledMs) {
    spelled = new Date(now).toISOString();
    spelledMs = now;
  }
  return spelled;
}

function send(response, text, { request_id, account, now }) {
  const seconds = Math.ceil((account.windowEnds - now) / 1e3);
  sendVerdict(response, text, { request_id, left: LIMIT - account.used, seconds });
}

/** Sends the text of a verdict with the headers of the API. */
export function sendVerdict(response, text, { request_id, left, seconds }) {
  response.writeHead(200, [
    'cache-control',
    'no-store',
    'x-content-type-options',
    'nosniff',
    'x-request-id',
    request_id,
    'ratelimit',
    `"verify";r=${left};t=${seconds}`,
    'ratelimit-policy',
    `"verify";q=${LIMIT};w=60`,
    'content-type',
    'application/json',
    'content-length',
    `${Buffer.byteLength(text)}`,
  ]);
  response.end(text);
}

function refuse(response, status) {
  response.writeHead(status, { 'content-length': 0 }).end();
}

/** Creates a journal in memory, with blocks of columns as in the service. */
function createJournal() {
  const builder = createBlockBuilder();
  const blocks = [];
  let timer;
  const seal = () => {
    clearTimeout(timer);
    timer = undefined;
    blocks.push(builder.seal());
    if (blocks.length > BLOCKS) blocks.shift();
  };
  return {
    file(record, bucket) {
      timer ??= setTimeout(seal, FLUSH_MS);
      if (builder.push(record, bucket)) return;
      seal();
      builder.push(record, bucket);
    },
  };
}
