import { MEMBERS } from '../../operations/roles.ts';
import type { KeyCaller } from '../../service.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { pageOf, pageParameters } from '../page-query.ts';
import { publicDocument } from '../public-document.ts';

/** The time that a checkpoint may be kept: a later one follows within seconds. */
const CHECKPOINT_SECONDS = 5;
/** The time that a tile may be kept: one of a size never changes. */
const TILE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'access-control-allow-origin': '*',
};

/** The endpoints of logs: two for third parties, and those of the account. */
export const logEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/logs/{log_id}/checkpoint',
    verb: 'logs',
    tag: 'Evidence',
    summary: 'Get the checkpoint of a log',
    credential: 'none',
    success: {
      status: 200,
      description: 'A note of the size and the root, signed by the keys of the log.',
      schema: 'Checkpoint',
      mediaType: 'text/plain; charset=utf-8',
    },
    errors: ['not_found', 'overloaded'],
    needs: ({ signing }) => signing.signsPassports,
    async handle({ service, params, rawHeaders }) {
      const note = await service.logs.checkpoint(params['log_id'] ?? '');
      return publicDocument(note, rawHeaders, CHECKPOINT_SECONDS);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/logs/{log_id}/tile/{level}/{place}',
    takesRest: true,
    verb: 'logs',
    tag: 'Evidence',
    summary: 'Get hashes of a log at a place such as x001/234 or 005.p/17',
    credential: 'none',
    success: {
      status: 200,
      description: 'The hashes, 32 bytes each. No entries are served.',
      schema: 'LogTile',
      mediaType: 'application/octet-stream',
    },
    errors: ['not_found', 'overloaded'],
    needs: ({ signing }) => signing.signsPassports,
    async handle({ service, params }) {
      const { log_id = '', level = '', place = '' } = params;
      return { body: await service.logs.tile(log_id, `tile/${level}/${place}`), headers: TILE_HEADERS };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/log',
    verb: 'evidence',
    tag: 'Evidence',
    summary: 'Show the keys, the checkpoint and the waiting entries of the log',
    credential: 'session',
    role: MEMBERS,
    success: { status: 200, description: 'The log.', schema: 'Log' },
    errors: ['not_found'],
    handle: async ({ service, caller }) => ({ body: await service.evidence.state(caller) }),
  }),
  endpoint({
    method: 'GET',
    path: '/log/entries',
    verb: 'evidence',
    patient: true,
    tag: 'Evidence',
    summary: 'List the entries of the log, newest first',
    credential: 'session',
    role: MEMBERS,
    query: [
      ...pageParameters,
      {
        name: 'blocks',
        description: 'Also the blocks of verdicts; then at most 16 entries.',
        schema: { type: 'string', enum: ['1'] },
      },
    ],
    success: { status: 200, description: 'A page of entries.', schema: 'LogEntryPage' },
    errors: ['not_found'],
    async handle({ service, caller, query, signal }) {
      const { blocks, ...page } = query;
      const asked = { ...pageOf(page), blocks: blocks === '1' };
      return { body: await service.evidence.entries(asked, { ...caller, signal: signal() }) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/verifications/{decision_id}/receipt',
    verb: 'verifications',
    patient: true,
    tag: 'Evidence',
    summary: 'Get the receipt of a verdict',
    credential: 'either',
    role: MEMBERS,
    scope: 'verify',
    query: [
      {
        name: 'evaluated_at',
        description: 'When the verdict was given: needed for one without a permit, for sessions alone.',
        schema: { type: 'string', format: 'date-time' },
      },
    ],
    success: {
      status: 200,
      description: 'The receipt, and how many verdicts it discloses.',
      schema: 'Receipt',
    },
    errors: ['not_found', 'conflict'],
    async handle({ service, caller, params, query, signal }) {
      const { evaluated_at } = query;
      const asked = evaluated_at === undefined ? {} : { evaluated_at };
      const options = { ...(caller as KeyCaller), signal: signal() };
      return { body: await service.verifications.receipt(params['decision_id'] ?? '', asked, options) };
    },
  }),
];
