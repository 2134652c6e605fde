/** The composition root: storage, service, API and page, put together and served until a signal. */
import type { RequestListener } from 'node:http';
import { isIPv6 } from 'node:net';
import { endpointAt, endpoints, nodeListener, openApiDocument } from '../../../src/http/index.ts';
import {
  createIdentityService,
  IdentityError,
  type IdentityService,
  type Logger,
  type StorageAdapter,
} from '../../../src/index.ts';
import { SECRET_TEXT } from '../../../src/ports/index.ts';
import { dashboardListener } from '../../dashboard/index.ts';
import { isOnNetwork, openStorage } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { print } from '../output/terminal.ts';
import { ensureAccount, type Start } from './first-account.ts';
import { greeting } from './greeting.ts';
import { type HttpServer, listen } from './http-server.ts';
import { createLogger } from './logger.ts';
import { isExposed, makeKeptSecret } from './secret.ts';
import type { Settings } from './settings.ts';
import { firstSignal } from './signals.ts';
import { warmUp } from './warm-up.ts';

/** What runs is given this long after a signal; the rest of the ten seconds is for the storage. */
const GRACE_MS = 8_000;
const LAST_MS = 9_500;

/**
 * Serves until SIGTERM or SIGINT. The port is bound before the storage is opened, so that a start that fails for
 * either has made nothing.
 */
export async function serve(settings: Settings): Promise<void> {
  const log = createLogger(settings.log);
  const signal = firstSignal();
  const server = await listen(settings.host, settings.port);
  const origin = originOf(settings.host, server.port);
  let service: IdentityService;
  let start: Start;
  try {
    ({ service, start } = await open(settings, log));
  } catch (error) {
    await server.stop(0);
    throw error;
  }
  server.use(listenerFor(service, { ...settings, origin }));
  print(greeting(origin, start, settings));
  log({ level: 'info', event: 'listening', message: `Serving ${origin}` });
  await stopAt(await signal, server, service, log);
}

async function open(
  settings: Settings,
  log: Logger,
): Promise<{ readonly service: IdentityService; readonly start: Start }> {
  const { place, email, password, registration, rateLimits, defaultPlan } = settings;
  const { journal, retentionDays, consistency, passwordConcurrency, clockOk = false } = settings;
  const storage = await openStorage(place);
  try {
    if (settings.durability === 'required') await assertDurable(storage);
    const secret = settings.secret ?? (await makeSecret(settings, storage));
    const { previousSecret, secretLost = false } = settings;
    const service = createIdentityService({
      storage,
      session: { secret, secretLost, ...(previousSecret !== undefined && { previousSecret }) },
      registration,
      rateLimits,
      defaultPlan,
      journal,
      consistency,
      retentionDays,
      passwordConcurrency,
      clockOk,
      log,
    });
    await service.health().catch(throwMisfit);
    const start = await ensureAccount(service, email, password);
    await announce(settings, storage, log);
    if (isOnNetwork(place)) await warmUp(storage);
    return { service, start };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Where the storage was used with a secret that is not there any more, a new one would be refused anyway. */
async function makeSecret({ place, secretLost }: Settings, storage: StorageAdapter): Promise<string> {
  if (secretLost || (await storage.remember(SECRET_TEXT)) === undefined) return makeKeptSecret(place);
  throw usageError(
    'The signing secret of this storage is missing: put its file back, or give it as AGENT_IDENTITY_SECRET; where it is lost, start once with --secret-lost.',
  );
}

/** A clock that is off, or a storage that is busy now, is a line in the log: verdicts are given all the same. */
function throwMisfit(error: unknown): void {
  if (error instanceof IdentityError && error.code === 'invalid_configuration') throw error;
}

async function assertDurable(storage: StorageAdapter): Promise<void> {
  const { durability, detail } = await storage.check();
  if (durability === 'durable') return;
  throw usageError(`--durability required: ${detail ?? `The storage is ${durability}.`}`);
}

/** What an operator should know at every start. */
async function announce(settings: Settings, storage: StorageAdapter, log: Logger): Promise<void> {
  const { durability, detail } = await storage.check();
  if (durability !== 'durable') {
    log({ level: 'warn', event: 'storage_not_durable', message: detail ?? `The storage is ${durability}.` });
  }
  if (await isExposed(settings.place)) {
    const message = 'Others can read the signing secret beside the database: chmod 600 it.';
    log({ level: 'warn', event: 'secret_exposed', message });
  }
  if (settings.rateLimits === 'off') {
    const message = 'Rate limits are off: verification rates and the login throttle do not hold.';
    log({ level: 'warn', event: 'rate_limits_off', message });
  }
}

function listenerFor(
  service: IdentityService,
  { version, origin, place, trustProxy }: Settings & { readonly origin: string },
): RequestListener {
  const api = nodeListener(service, { trustProxy });
  const served = endpoints.filter(({ needs }) => needs?.(service) ?? true);
  const pages = dashboardListener({
    version,
    origin,
    storage: place.kind,
    document: openApiDocument(served),
  });
  return (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    // A path of the API that lacks its prefix gets the answer of the API, which names the right one.
    const isApi = path === '/api' || path.startsWith('/api/') || endpointAt(path) !== undefined;
    if (!isApi) return pages(request, response);
    api(request, response).catch((error: unknown) => {
      const cause = error instanceof Error ? error.message : 'unknown';
      service.log({ level: 'error', event: 'answer_failed', message: 'An answer could not be sent.', cause });
      response.destroy();
    });
  };
}

async function stopAt(
  signal: NodeJS.Signals,
  server: HttpServer,
  service: IdentityService,
  log: Logger,
): Promise<void> {
  // A storage that does not take the last verdict records in time must not hold up the end.
  setTimeout(() => process.exit(0), LAST_MS).unref();
  log({ level: 'info', event: 'stopping', message: `${signal}: finishing what runs.` });
  await server.stop(GRACE_MS);
  await service.close();
  log({ level: 'info', event: 'stopped', message: 'Stopped.' });
}

function originOf(host: string, port: number): string {
  const everywhere = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${everywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`;
}
