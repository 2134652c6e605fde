import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { nodeListener } from '../../src/http/index.ts';
import type { IdentityService } from '../../src/index.ts';

/** What becomes of a request: answered, carried out without an answer, or cut in the middle of its answer. */
export type Fate = 'answered' | 'lost' | 'halved';

/** The API of a service whose connections break as they are told to. */
export interface Fragile {
  readonly listener: RequestListener;
  /** The requests so far, such as `POST /api/verify`. */
  readonly seen: readonly string[];
  /** The fates of the next requests, in order; all later ones are answered. */
  next(...fates: readonly Fate[]): void;
}

/** The API over a service; what is lost was carried out all the same. */
export function fragile(service: IdentityService): Fragile {
  const api = nodeListener(service);
  const seen: string[] = [];
  let fates: Fate[] = [];
  return {
    seen,
    next(...given) {
      fates = [...given];
      seen.length = 0;
    },
    listener(request, response) {
      seen.push(`${request.method} ${request.url}`);
      spoil(request, response, fates.shift() ?? 'answered');
      api(request, response);
    },
  };
}

function spoil({ socket }: IncomingMessage, response: ServerResponse, fate: Fate): void {
  if (fate === 'answered') return;
  const end = (body: unknown): ServerResponse => {
    const half = fate === 'halved' ? `${body}`.slice(0, 10) : undefined;
    if (half === undefined) socket.destroy();
    else response.write(half, () => socket.destroy());
    return response;
  };
  Object.assign(response, { end, ...(fate === 'lost' && { writeHead: () => response }) });
}
