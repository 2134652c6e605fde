import { type Endpoint, endpoint } from '../endpoint.ts';
import { publicDocument } from '../replies.ts';

/** The seconds for which a checkpoint may be cached. The next checkpoint follows within seconds. */
const CHECKPOINT_SECONDS = 5;
/** The headers that allow caches to keep a tile. A tile of a given size never changes. */
const TILE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'access-control-allow-origin': '*',
};

export const logEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/logs/{log_id}/checkpoint',
    room: 'logs',
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
    needs: ({ signing }) => signing?.signsPassports === true,
    async handle({ service, params, rawHeaders }) {
      const note = await service.logs.checkpoint(params['log_id'] ?? '');
      return publicDocument(note, rawHeaders, CHECKPOINT_SECONDS);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/logs/{log_id}/tile/{level}/{place}',
    takesRest: true,
    room: 'logs',
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
    needs: ({ signing }) => signing?.signsPassports === true,
    async handle({ service, params }) {
      const { log_id = '', level = '', place = '' } = params;
      return { body: await service.logs.tile(log_id, `tile/${level}/${place}`), headers: TILE_HEADERS };
    },
  }),
];
