/**
 * Streams the events of an account over HTTP. Each event arrives once, and the stream continues if the connection
 * breaks.
 */

import { after, isPassing, paused } from '../base/async/decision-wait.ts';
import { createBoundedMap } from '../base/bounded-map.ts';
import type { EventQuery } from '../core.ts';
import { IdentityError } from '../errors.ts';
import type { IdentityEvent } from '../records/event.ts';
import { queryOf } from './path-of.ts';
import type { ClientRequests } from './requests.ts';
import { checkedSignal, type RequestOptions } from './transport.ts';

const EVENT_STREAM = 'text/event-stream';

const RETRY_MS = 2_000;
const LONGEST_MS = 30_000;
/** The longest silence of a connection before it counts as dead. The service sends data at least every 15 s. */
const SILENCE_MS = 45_000;
const REMEMBERED = 10_000;

interface StreamPosition {
  after: string | undefined;
  retryMs: number;
  isBegun: boolean;
}

/**
 * Yields events without an end. Rejects if the first connection fails or the credential is refused, and with the reason
 * of the signal. After any other failure, it connects again.
 */
export async function* followEvents(
  { stream }: Pick<ClientRequests, 'stream'>,
  { types, ...query }: EventQuery,
  options: RequestOptions,
): AsyncGenerator<IdentityEvent, void> {
  const { signal } = checkedSignal(options);
  const cache = createBoundedMap<string, true>(REMEMBERED);
  const position: StreamPosition = { after: query.after, retryMs: RETRY_MS, isBegun: false };
  for (let failures = 0; ; failures += 1) {
    try {
      const askedQuery = { ...query, ...(types && { types: types.join() }), after: position.after };
      for await (const event of readOnce(stream, `/events${queryOf(askedQuery)}`, position, signal)) {
        failures = 0;
        if (cache.get(event.id) !== undefined) continue;
        cache.set(event.id, true);
        yield event;
      }
    } catch (error) {
      if (!position.isBegun || !isPassing(error)) throw error;
    }
    await paused(Math.min(position.retryMs * 2 ** Math.min(failures, 10), LONGEST_MS), after, signal);
  }
}

async function* readOnce(
  stream: ClientRequests['stream'],
  path: string,
  position: StreamPosition,
  signal: AbortSignal | undefined,
): AsyncGenerator<IdentityEvent, void> {
  const silence = new AbortController();
  const abort = (): void => silence.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new IdentityError('service_unreachable', SILENT)), SILENCE_MS);
  };
  try {
    const pieces = await stream(path, EVENT_STREAM, { signal: silence.signal });
    position.isBegun = true;
    watch();
    let remainder = '';
    for await (const piece of pieces) {
      watch();
      const frames = (remainder + piece).split('\n\n');
      remainder = frames.pop() ?? '';
      for (const frame of frames) yield* readFrame(frame, position);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    silence.abort();
  }
}

const SILENT = 'The stream of events was silent for too long.';

function* readFrame(frame: string, position: StreamPosition): Generator<IdentityEvent, void> {
  let event: IdentityEvent | undefined;
  for (const line of frame.split('\n')) {
    const [, name, value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (name === 'retry' && /^\d{1,6}$/.test(value)) position.retryMs = Number(value);
    if (name === 'id') position.after = value;
    if (name === 'data') event = JSON.parse(value);
  }
  if (event !== undefined) yield event;
}
