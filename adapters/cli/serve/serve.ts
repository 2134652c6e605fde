/** Runs `serve`: connects storage, service, API and dashboard, and serves until a signal. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type AuthzenOptions, everyCapability } from '../../../src/capabilities.ts';
import type { EventRooms } from '../../../src/events/index.ts';
import { endpointAt } from '../../../src/http/binding.ts';
import { nodeListener } from '../../../src/http/index.ts';
import { type DocumentService, didListener } from '../../../src/identity/index.ts';
import {
  createIdentityService,
  IdentityError,
  type IdentityService,
  type Logger,
  type StorageAdapter,
} from '../../../src/index.ts';
import { createMetrics, type Metrics } from '../../../src/metrics/index.ts';
import { type CollectionName, SECRET_TEXT } from '../../../src/ports/index.ts';
import type { VerifierRooms } from '../../../src/verifiers/index.ts';
import { dashboardRouter } from '../../dashboard/index.ts';
import { nodeDomainProver, nodeWebhookTransport } from '../../node/index.ts';
import { isOnNetwork, openStorage } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { print } from '../output/terminal.ts';
import { watchAnswer } from './answered.ts';
import { ensureAccount, greeting, type Start } from './greeting.ts';
import { listen, stopAt, timesOf } from './http-server.ts';
import { createLogger } from './logger.ts';
import { listenForMetrics, type MetricsServer } from './metrics-server.ts';
import { bindPeople, peopleOf } from './oidc.ts';
import { originOf } from './origin.ts';
import { isExposed, makeKeptSecret } from './secret.ts';
import { isLoopback, type Settings } from './settings.ts';
import { firstSignal } from './signals.ts';

/**
 * Serves until SIGTERM or SIGINT. It opens the port before the storage, so that a start that fails at either has
 * created nothing.
 */
export async function serve(settings: Settings): Promise<void> {
  const log = createLogger(settings.log);
  const signal = firstSignal();
  const server = await listen(settings.host, settings.port, timesOf(settings));
  const origin = originOf(settings.host, server.port);
  const metrics = settings.metrics && createMetrics();
  let counts: MetricsServer | undefined;
  let service: Served;
  let start: Start;
  try {
    counts = settings.metrics && metrics && (await listenForMetrics(metrics, settings.metrics));
    ({ service, start } = await open(settings, log, { url: `${origin}/api`, metrics }));
  } catch (error) {
    counts?.stop();
    await server.stop(0);
    throw error;
  }
  server.use(listenerFor(service, settings));
  print(greeting(origin, start, settings));
  log({ level: 'info', event: 'listening', message: `Serving ${origin}` });
  if (counts !== undefined)
    log({ level: 'info', event: 'metrics_listening', message: `Serving counts at ${counts.url}` });
  await stopAt(await signal, server, { end: () => endStreams(service), close: service.close }, log);
  counts?.stop();
}

type Served = IdentityService & DocumentService;

async function open(
  settings: Settings,
  log: Logger,
  { url, metrics }: { readonly url: string; readonly metrics: Metrics | undefined },
): Promise<{ readonly service: Served; readonly start: Start }> {
  const { place, email, password, registration, rateLimits, defaultPlan } = settings;
  const { domainProof, allowLocalhost = false } = settings;
  const { webhooks: maxPerAccount } = settings;
  const { journal, retentionDays, auditDays, consistency, passwordConcurrency, clockOk = false } = settings;
  const { durability, storageTimeout } = settings;
  const storage = await openStorage(place, { isStated: durability === 'stated', timeoutMs: storageTimeout });
  try {
    if (durability === 'required') await assertDurable(storage);
    if (journal === 'strict') assertStrict(storage);
    const secret = settings.secret ?? (await makeSecret(settings, storage));
    const { previousSecret, previousSecrets, secretLost = false } = settings;
    const service = createIdentityService({
      storage,
      storageDeadlineMs: storageTimeout,
      session: { secret, secretLost, ...(previousSecret !== undefined && { previousSecret }) },
      ...(metrics && { metrics }),
      registration,
      domainProof,
      allowLocalhost,
      domainProver: nodeDomainProver(),
      capabilities: everyCapability({
        webhooks: maxPerAccount > 0 ? { transport: nodeWebhookTransport(), maxPerAccount } : undefined,
        identity: { previousSecrets, ...publicUrlOf(settings, url) },
        accessTokens: settings.accessTokens === true ? {} : undefined,
        evidence: { begins: settings.evidenceLog === true },
        authzen: authzenOf(settings),
        people: peopleOf(settings.oidc, settings.publicUrl ?? url),
      }),
      rateLimits,
      defaultPlan,
      journal,
      consistency,
      retentionDays,
      auditDays,
      passwordConcurrency,
      clockOk,
      log,
    });
    await service.health().catch(throwMisfit);
    const start = await ensureAccount(service, email, password);
    await bindPeople(service, settings.oidc);
    await announce(settings, storage, log);
    if (isOnNetwork(place)) await warmUp(storage);
    return { service, start };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Returns the public URL of the API. The default on a loopback host is `url`, because third parties cannot reach this
 * host.
 */
function publicUrlOf({ publicUrl, host }: Settings, url: string): { readonly publicUrl?: string } {
  if (publicUrl !== undefined) return { publicUrl };
  return isLoopback(host) ? { publicUrl: url } : {};
}

function authzenOf({
  authzen,
  authzenAgentDomain: agentDomain,
  authzenCheck: check,
}: Settings): AuthzenOptions | undefined {
  if (!authzen) return undefined;
  return { ...(agentDomain !== undefined && { agentDomain }), ...(check !== undefined && { check }) };
}

/** Creates a signing secret. This does no harm: a storage that was used with another secret refuses the new one. */
async function makeSecret({ place, secretLost }: Settings, storage: StorageAdapter): Promise<string> {
  if (secretLost || (await storage.get('shared_texts', SECRET_TEXT)) === undefined)
    return makeKeptSecret(place);
  throw usageError(
    'The signing secret of this storage is missing. Put its file back, or give it as AGENT_IDENTITY_SECRET. If it is lost, start once with --secret-lost.',
  );
}

/**
 * Throws an error that must stop the start. A wrong clock or a busy storage is only logged, because verdicts may still
 * be possible.
 */
function throwMisfit(error: unknown): void {
  if (error instanceof IdentityError && error.code === 'invalid_configuration') throw error;
}

function assertStrict({ name, journal }: StorageAdapter): void {
  if (journal.strictRefusal === undefined) return;
  throw usageError(`The storage ${name} takes no --journal strict. ${journal.strictRefusal}`);
}

async function assertDurable(storage: StorageAdapter): Promise<void> {
  const { durability, detail } = await storage.check();
  if (durability === 'durable') return;
  throw usageError(`--durability required: ${detail ?? `The storage is ${durability}.`}`);
}

async function announce(settings: Settings, storage: StorageAdapter, log: Logger): Promise<void> {
  const { durability, detail } = await storage.check();
  if (durability !== 'durable') {
    log({
      level: 'warn',
      event: 'storage_not_durable',
      message: detail ?? `The storage is ${durability}, and may lose writes.`,
    });
  }
  if (await isExposed(settings.place)) {
    const message = 'Others can read the signing secret next to the database. Run chmod 600 on it.';
    log({ level: 'warn', event: 'secret_exposed', message });
  }
  if (settings.rateLimits === 'off') {
    const message =
      'Rate limits are off: the rates of verifications and writes and the login throttle do not hold.';
    log({ level: 'warn', event: 'rate_limits_off', message });
  }
}

function listenerFor(service: Served, { trustProxy }: Settings): RequestListener {
  const api = nodeListener(service, { trustProxy });
  const documents = didListener(service, { trustProxy });
  const pages = dashboardRouter(service);
  return (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    // A path of the API that lacks its prefix gets the answer of the API, which names the right one.
    const isApi = path === '/api' || path.startsWith('/api/') || endpointAt(path) !== undefined;
    const showPage = () => pages(request, response, () => sendNotFound(request, response));
    const answeredPromise = isApi ? api(request, response) : documents(request, response, showPage);
    watchAnswer(answeredPromise, response, service.serving.log);
  };
}

function endStreams({ events, verifiers }: IdentityService & Partial<EventRooms & VerifierRooms>): void {
  events?.end();
  verifiers?.end();
}

function sendNotFound(request: IncomingMessage, response: ServerResponse): void {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  response.writeHead(404, headers).end('There is nothing here. The dashboard is at /, the API below /api.');
  request.resume();
}

/** The number of calls at the same time, which equals the connections of a storage on the network. */
const LANES = 10;
/**
 * The maximum duration of a fast round of calls, in milliseconds. A round takes longer if connections were
 * opened or the machine was busy.
 */
const CALM_MS = 200;
const PAUSE_MS = 50;
/** The maximum time of the warm-up in milliseconds. A slow node is better than a node that never starts. */
const MAX_MS = 10_000;

const COLLECTIONS: readonly CollectionName[] = ['accounts', 'sessions', 'keys', 'passports'];

/**
 * Waits until the storage answers a round of parallel calls quickly, at most ten seconds and one call.
 *
 * A load balancer sends many requests at once to a ready node. Without this step, each of the first requests would have
 * to open a connection within its own deadline.
 */
export async function warmUp(storage: StorageAdapter): Promise<void> {
  const end = performance.now() + MAX_MS;
  for (;;) {
    const startedMs = performance.now();
    const outcomes = await Promise.allSettled(Array.from({ length: LANES }, () => askAll(storage)));
    const now = performance.now();
    const isAnswered = outcomes.every(({ status }) => status === 'fulfilled');
    if ((isAnswered && now - startedMs < CALM_MS) || now >= end) return;
    await setTimeout(PAUSE_MS);
  }
}

/**
 * Sends one round of calls. The first calls are counts, which need a connection each; reads of a collection may share
 * one.
 */
async function askAll(storage: StorageAdapter): Promise<void> {
  await storage.count('warm-up', new Date().toISOString());
  for (const collection of COLLECTIONS) await storage.get(collection, 'warm-up');
}
