import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The options of `node:http` that are left to the host. */
export type ExpressServerOptions = Omit<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * A server of the whole application, not listening yet: on Node 20 and 22 several times as fast as
 * `app.listen()`, from Node 24 on the same. Nothing in the application changes.
 *
 * Express gives every request and response the prototypes `app.request` and `app.response`. Up to Node 22 that
 * makes each of them slow from then on; here they are made with these prototypes, so that there is nothing left
 * to change. Only what goes through a mounted `express()` still pays, because that has prototypes of its own.
 */
export function createExpressServer(app: Express, options: ExpressServerOptions = {}): Server {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= CHEAP_SINCE) return createServer(options, app);
  const Request = withPrototype(IncomingMessage, app.request);
  const Response = withPrototype(ServerResponse, app.response);
  return createServer({ ...options, IncomingMessage: Request, ServerResponse: Response }, app);
}

/** The first Node where a changed prototype costs next to nothing. */
const CHEAP_SINCE = 24;

/**
 * A constructor of what `base` makes, whose prototype is this very object: one that only inherits would be changed
 * again. `base` is called as the function it is before Node 24: what `Reflect.construct` makes is slow as well.
 */
function withPrototype<Base>(base: Base, prototype: object): Base {
  const fill = base as (this: object, ...given: unknown[]) => void;
  function Made(this: object, ...given: unknown[]): void {
    fill.apply(this, given);
  }
  Made.prototype = prototype;
  return Made as Base;
}
