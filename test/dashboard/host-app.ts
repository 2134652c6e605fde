/** An application with its own session in a cookie, which serves the dashboard and the API. */
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import express, { type Express, type Request } from 'express';
import { dashboardRouter } from '../../adapters/dashboard/index.ts';
import { identityRouter } from '../../adapters/express/index.ts';
import type { IdentityService } from '../../src/index.ts';
import type { HostLogin } from '../../src/records.ts';
import { closeAfterFile } from '../support/closers.ts';

/** Makes the application of these people, by the value of their cookie; `Lax` is what browsers take without a word. */
export function hostApp(
  service: IdentityService,
  sameSite: 'none' | 'lax' | undefined,
  people: Readonly<Record<string, HostLogin>>,
): Express {
  const app = express();
  app.get('/login', (request, response) => {
    response.cookie('sid', String(request.query['as'] ?? 'ann'), {
      httpOnly: true,
      ...(sameSite && { sameSite, secure: sameSite === 'none' }),
    });
    response.redirect(String(request.query['next'] ?? '/'));
  });
  app.get('/logout', (_, response) => {
    response.clearCookie('sid');
    response.redirect('/');
  });
  const authenticate = ({ headers }: Request) => people[/sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''];
  app.use('/api', identityRouter(service, { authenticate }));
  app.use('/', dashboardRouter(service, { login: 'host', signIn: '/login?next={url}', signOut: '/logout' }));
  return app;
}

/** Serves it on a free port of this machine until the end of the file; returns the port. */
export async function serve(app: Express, tls?: TlsOptions): Promise<number> {
  const server: Server = tls === undefined ? createServer(app) : createTlsServer(tls, app);
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closeAfterFile(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
