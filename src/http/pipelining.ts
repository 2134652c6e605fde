/** Bounds the requests that a client sends over one connection before it has the answers to earlier ones. */
import type { NodeRequest, NodeResponse } from './node-exchange.ts';

/** How many requests of one connection may wait behind one that is not answered yet. */
const MAX_WAITING = 15;

/**
 * Whether a request may go on. The connection of one that may not is closed: it needs no answer.
 *
 * Node reads pipelined requests (RFC 9112 section 9.3.2) without a bound: 2,400 of 27 bytes arrive in one piece, and
 * each holds memory until the client reads the answers. Clients that wait for each answer cost nothing here.
 */
export function pipelineBound(): (request: NodeRequest, response: NodeResponse) => boolean {
  const waiting = new WeakMap<object, number>();
  return ({ socket }, response) => {
    // Node gives its socket to one response at a time: one without has to wait for those before it.
    if (response.socket !== null || socket === undefined) return true;
    if (socket.destroyed === true) return false;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) {
      cut(socket);
      return false;
    }
    waiting.set(socket, count);
    response.on('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return true;
  };
}

type NodeSocket = NonNullable<NodeRequest['socket']>;

/** Stops Node's parser before the rest of what has arrived. */
const STOP = 2;

/**
 * A destroyed socket is read no more, but the parser goes on with what it has: 25 ms for a piece of 64 KiB. What
 * stops it is not documented; in a runtime without it the connection is closed as well, only later.
 */
function cut(socket: NodeSocket): void {
  const { parser } = socket as { readonly parser?: { onIncoming?: unknown } | null };
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => STOP;
  socket.destroy?.();
}
