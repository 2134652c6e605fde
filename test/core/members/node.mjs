/**
 * A node to be killed, as a child by `fork` with the URL of its storage: it answers `{ id, method, args }` with
 * `{ id, answer }` or `{ id, code }`, the code of the error, until its parent kills it. Its passwords cost nothing.
 */
import { createHash } from 'node:crypto';
import { createIdentityService } from '../../../dist/index.js';
import { people } from '../../../dist/people.js';
import { openStorage } from '../../nodes/engines.mjs';
import { answerParent } from '../spending/answer-parent.mjs';

/** A machine that starts nodes all the time is slow to answer. */
const PATIENT_MS = 30_000;

const [url] = process.argv.slice(2);
const digest = (password) => createHash('sha256').update(password).digest('base64');
const service = createIdentityService({
  storage: await openStorage(url, { timeoutMs: PATIENT_MS }),
  storageDeadlineMs: PATIENT_MS,
  capabilities: [people()],
  session: { secret: 'a secret of the nodes that are killed' },
  passwordHasher: {
    hash: async (password) => digest(password),
    verify: async (password, hash) => digest(password) === hash,
    verifyNothing: async () => false,
  },
  log: ({ level, message, cause }) => level === 'error' && console.error(message, cause ?? ''),
});
const { acceptLink, members } = service;
const { invite, update, remove } = members;

answerParent({ acceptLink, invite, update, remove });
