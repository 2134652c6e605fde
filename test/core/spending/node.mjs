/**
 * A node to be killed, as a child by `fork` with the URL of its storage, and as JSON the option `journal` and how much
 * faster its timers run: it answers `{ id, method, args }` with `{ id, answer }` or an error's `{ id, code }`,
 * until its parent kills it.
 */
import { erasure } from '../../../dist/erasure.js';
import { createIdentityService } from '../../../dist/index.js';
import { openStorage } from '../../nodes/engines.mjs';
import { answerParent } from './answer-parent.mjs';

/** A machine that starts nodes all the time is slow to answer. */
const PATIENT_MS = 30_000;

const [url, options = '{}'] = process.argv.slice(2);
const { journal, faster = 1 } = JSON.parse(options);
const service = createIdentityService({
  storageDeadlineMs: 30_000,
  storage: await openStorage(url, { timeoutMs: PATIENT_MS }),
  domainProof: 'off',
  capabilities: [erasure()],
  ...(journal !== undefined && { journal }),
  after(ms, run) {
    const timer = setTimeout(run, ms / faster);
    return () => clearTimeout(timer);
  },
  log: ({ level, message, cause }) => level === 'error' && console.error(message, cause ?? ''),
});
const { verify, spends, approvals, outcomes, subjects } = service;
const { commit, release } = spends;
const { approve, reject } = approvals;
const { report } = outcomes;
const { erase } = subjects;

answerParent({ verify, commit, release, approve, reject, report, erase });
