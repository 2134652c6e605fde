/**
 * A node to be killed, as a child by `fork` with the URL of its storage: it answers `{ id, verb, args }` with
 * `{ id, answer }` or `{ id, code }`, the code of the error, until its parent kills it.
 */
import { createIdentityService } from '../../../dist/index.js';
import { openStorage } from '../../nodes/engines.mjs';

/** A machine that starts nodes all the time is slow to answer. */
const PATIENT_MS = 30_000;

const [url] = process.argv.slice(2);
const service = createIdentityService({
  storage: await openStorage(url, { timeoutMs: PATIENT_MS }),
  domainProof: 'off',
  log: ({ level, message, cause }) => level === 'error' && console.error(message, cause ?? ''),
});
const { verify, spends, approvals } = service;
const { commit, release } = spends;
const { approve, reject } = approvals;
const verbs = { verify, commit, release, approve, reject };

process.on('disconnect', () => process.exit());
process.on('message', async ({ id, verb, args }) => {
  try {
    process.send({ id, answer: await verbs[verb](...args) });
  } catch (error) {
    process.send({ id, code: error.code ?? String(error) });
  }
});
process.send({ id: 'ready' });
