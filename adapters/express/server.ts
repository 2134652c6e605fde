import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The options of `node:http` that the application may set. */
export type ExpressServerOptions = Omit<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Creates a server of the whole application, which does not listen yet. On Node 20 and 22 it is several times as fast
 * as `app.listen()`. From Node 24 on both are equally fast. The application does not change.
 *
 * Express sets the prototypes `app.request` and `app.response` on each request and response. Up to Node 22 an object
 * is slow once its prototype has changed. Here the objects are created with these prototypes, so that Express changes
 * nothing. A mounted `express()` still costs time, because it has its own prototypes.
 */
export function createExpressServer(app: Express, options: ExpressServerOptions = {}): Server {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= CHEAP_SINCE) return createServer(options, app);
  const Request = withPrototype(IncomingMessage, app.request);
  const Response = withPrototype(ServerResponse, app.response);
  return createServer({ ...options, IncomingMessage: Request, ServerResponse: Response }, app);
}

/** The first Node version in which a changed prototype costs almost nothing. */
const CHEAP_SINCE = 24;

/**
 * Makes a constructor like `base` whose prototype is this object itself: Express would replace one that only inherits
 * from it. `base` is called as a function, which it is before Node 24, because objects of `Reflect.construct` are slow
 * as well.
 */
function withPrototype<Base>(base: Base, prototype: object): Base {
  const fill = base as (this: object, ...given: unknown[]) => void;
  function Made(this: object, ...given: unknown[]): void {
    fill.apply(this, given);
  }
  Made.prototype = prototype;
  return Made as Base;
}
