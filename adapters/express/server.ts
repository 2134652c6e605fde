import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The options of `node:http` that the application may set. */
export type ExpressServerOptions = Omit<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Creates a server for the whole application, without starting to listen. On Node 20 and 22, it is several times as
 * fast as `app.listen()`. From Node 24 on, both are equally fast. The application does not change.
 *
 * Express sets the prototypes `app.request` and `app.response` on each request and response. Up to Node 22, an object
 * is slow after its prototype has changed. This server creates the objects with these prototypes, so Express changes
 * nothing. A mounted `express()` still costs time, because it has its own prototypes.
 */
export function createExpressServer(app: Express, options: ExpressServerOptions = {}): Server {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= CHEAP_SINCE) return createServer(options, app);
  const Request = withPrototype(IncomingMessage, app.request);
  const Response = withPrototype(ServerResponse, app.response);
  return createServer({ ...options, IncomingMessage: Request, ServerResponse: Response }, app);
}

/** The first Node version in which changing a prototype costs almost nothing. */
const CHEAP_SINCE = 24;

/**
 * Creates a constructor like `base` whose prototype is exactly `prototype`. Express would replace a prototype
 * that only inherits from it. Before Node 24, `base` can be called as a function. `Reflect.construct` is not
 * used, because its objects are slow as well.
 */
function withPrototype<Base>(base: Base, prototype: object): Base {
  const fill = base as (this: object, ...args: unknown[]) => void;
  function Made(this: object, ...args: unknown[]): void {
    fill.apply(this, args);
  }
  Made.prototype = prototype;
  return Made as Base;
}
