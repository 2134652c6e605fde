import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { IdentityError, type IdentityErrorCode } from '../../../src/index.ts';
import type { Backend } from '../backend/methods.ts';
import { openRemoteBackend } from '../backend/remote.ts';
import { readBaseUrl } from '../input/base-url.ts';
import { inTurns, makePassports, questionsOf, type Subject } from './subject.ts';

export interface RemoteSubjectOptions {
  readonly url: string;
  readonly email: string;
  readonly passwordFile?: string;
  /** An API key. Without a key, the run creates a key, and revokes it at the end. */
  readonly key?: string;
  /** Existing agents. Without them, the run creates passports, and revokes them at the end. A service with `erasure()` also purges them. */
  readonly agents?: readonly string[];
  readonly domain: string;
  readonly passports: number;
  readonly connections: number;
}

const TIMEOUT_MS = 10_000;

export async function openRemoteSubject(options: RemoteSubjectOptions): Promise<Subject> {
  const { domain, passports, connections } = options;
  const baseUrl = readBaseUrl(options.url);
  const undo: Undo = [];
  let backend: Backend | undefined;
  const signedIn = async (): Promise<Backend> => {
    if (backend !== undefined) return backend;
    const openedBackend = await openRemoteBackend(options);
    undo.push(() => openedBackend.close());
    backend = openedBackend;
    return openedBackend;
  };
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    // One after the other: the session is what the others need.
    for (const step of undo.reverse()) await step().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const key = options.key ?? (await makeKey(await signedIn(), undo));
    const agents = options.agents ?? (await makeAgents(await signedIn(), { domain, count: passports }, undo));
    const post = createPost(new URL(`${baseUrl}/verify`), { key, connections });
    undo.push(async () => post.close());
    const questions = questionsOf(agents, true);
    return {
      label: baseUrl,
      // What an existing agent may do is not known here.
      questions: options.agents === undefined ? questions : questions.map(({ intent }) => ({ intent })),
      isInProcess: false,
      ask: (intent) => post.send(JSON.stringify(intent)),
      limitPerMinute: () => post.limitPerMinute(),
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

type Undo = (() => Promise<unknown>)[];

async function makeKey(backend: Backend, undo: Undo): Promise<string> {
  const { id, key } = await backend.keys.create({ name: 'agent-identity bench' });
  undo.push(() => backend.keys.revoke(id));
  // Left out only where a request is repeated under an idempotency key.
  if (key === undefined) throw new IdentityError('internal', 'The service made a key and did not show it.');
  return key;
}

async function makeAgents(
  backend: Backend,
  wantedFields: { readonly domain: string; readonly count: number },
  undo: Undo,
): Promise<readonly string[]> {
  const agents: string[] = [];
  undo.push(() =>
    inTurns(agents, async (agent_id) => {
      await backend.revoke({ agent_id, reason: 'It was made by agent-identity bench.' });
      await backend.passports.purge(agent_id).catch(unlessNotServed);
    }),
  );
  await makePassports(backend.passports.create, wantedFields, agents);
  return agents;
}

/** Throws the error, unless the service lacks `erasure()`: then its passports stay revoked. */
function unlessNotServed(error: unknown): void {
  if (!(error instanceof IdentityError && error.code === 'not_found')) throw error;
}

interface Post {
  send(body: string): Promise<{ readonly verdict: string }>;
  limitPerMinute(): number | null;
  close(): void;
}

function createPost(
  url: URL,
  { key, connections }: { readonly key: string; readonly connections: number },
): Post {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new IdentityError(
      'invalid_configuration',
      'The API key has characters that no API key has. Check --key.',
    );
  }
  const isPlain = url.protocol === 'http:';
  const request = isPlain ? httpRequest : httpsRequest;
  const settings = { keepAlive: true, maxSockets: connections };
  const agent = isPlain ? new HttpAgent(settings) : new HttpsAgent(settings);
  let limit: number | null = null;
  return {
    async send(body) {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-api-key': key,
      };
      const answer = await new Promise<string>((resolve, reject) => {
        const sent = request(url, { method: 'POST', agent, headers, timeout: TIMEOUT_MS }, (response) => {
          limit ??= limitIn(response.headers['ratelimit-policy']);
          text(response).then(resolve, reject);
        });
        sent.on('timeout', () => sent.destroy(new Error('No answer came in time.')));
        sent.on('error', reject).end(body);
      }).catch((cause) => {
        throw new IdentityError('service_unreachable', 'The service did not answer.', { cause });
      });
      return readAnswer(answer);
    },
    limitPerMinute: () => limit,
    close: () => agent.destroy(),
  };
}

/** Reads the rate limit from a response header such as `"verify";q=6000;w=60`. */
function limitIn(policy: string | readonly string[] | undefined): number | null {
  const quota = /^"verify";q=(\d{1,12});w=60$/.exec(String(policy))?.[1];
  return quota === undefined ? null : Number(quota);
}

function readAnswer(answer: string): { readonly verdict: string } {
  let read: { readonly verdict?: unknown; readonly code?: unknown } = {};
  try {
    read = Object(JSON.parse(answer));
  } catch {
    // No JSON: it has no verdict either.
  }
  const { verdict, code } = read;
  if (verdict === 'ALLOW' || verdict === 'DENY') return { verdict };
  const named = typeof code === 'string' ? (code as IdentityErrorCode) : 'service_unreachable';
  throw new IdentityError(named, 'The service answered without a verdict. Check --url.');
}
