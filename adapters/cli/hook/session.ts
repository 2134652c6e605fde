/**
 * The state of a hook process: the verifier, and the runs that wait for their outcome. A run is one allowed
 * intent of a tool call.
 */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ToolRun, Verifier } from '../../../src/guard/index.ts';
import { readBaseUrl } from '../input/base-url.ts';
import { openStorage, readStorageUrl } from '../input/storage-url.ts';
import type { HookConfig } from './config.ts';
import { refusal } from './refused.ts';
import type { ToolEvent } from './tool-event.ts';
import type { HookAnswer } from './wire.ts';

export interface CallRuns {
  readonly runs: readonly ToolRun[];
  readonly intents: string;
}

export interface HookSession {
  /** `true` if the process stays alive and receives the outcomes of calls. */
  readonly isResident: boolean;
  verifierOf(config: HookConfig): Promise<Verifier>;
  /** Keeps the runs until the tool ends. A process that does not stay alive ends them here. */
  keep(key: string, call: CallRuns): Promise<void>;
  take(key: string): CallRuns | undefined;
  /** Calls `answer` once for simultaneous copies of a call, because a hook may be installed twice. */
  once(key: string, answer: () => Promise<HookAnswer>): Promise<HookAnswer>;
  /** Closes the verifier, which stores its waiting records. */
  close(): Promise<void>;
}

interface OpenHookVerifier extends Verifier {
  close(): Promise<void>;
}

const MAX_CALLS = 10_000;

export function createSession({ isResident }: Pick<HookSession, 'isResident'>): HookSession {
  const calls = new Map<string, CallRuns>();
  const answers = new Map<string, Promise<HookAnswer>>();
  let currentVerifier: { readonly name: string; readonly verifier: Promise<OpenHookVerifier> } | undefined;

  function take(key: string): CallRuns | undefined {
    const call = calls.get(key);
    calls.delete(key);
    return call;
  }

  async function closeOpened(): Promise<void> {
    const last = currentVerifier;
    currentVerifier = undefined;
    await (await last?.verifier)?.close();
  }

  return {
    isResident,
    async verifierOf(config) {
      const { url, storage, key, apiKey } = config;
      const name = JSON.stringify([url, storage, key, apiKey]);
      if (currentVerifier?.name !== name) {
        await closeOpened().catch(() => undefined);
        const verifier = openVerifier(config, isResident);
        currentVerifier = { name, verifier };
        // A verifier that did not open is opened again for the next call.
        verifier.catch(() => {
          currentVerifier = undefined;
        });
      }
      return currentVerifier.verifier;
    },
    async keep(key, call) {
      if (!isResident) return endRuns(call.runs, 'unknown');
      const [oldest] = calls.keys();
      if (calls.size >= MAX_CALLS && oldest !== undefined) void endRuns(take(oldest)?.runs ?? [], 'unknown');
      calls.set(key, call);
    },
    take,
    once(key, answer) {
      const running = answers.get(key);
      if (running !== undefined) return running;
      const ownAnswerPromise = answer().finally(() => answers.delete(key));
      answers.set(key, ownAnswerPromise);
      return ownAnswerPromise;
    },
    close: closeOpened,
  };
}

export async function endRuns(runs: readonly ToolRun[], outcome: ToolEvent['outcome']): Promise<void> {
  for (const run of runs) {
    if (outcome === 'succeeded') await run.done();
    else await run.failed(outcome);
  }
}

async function openVerifier(config: HookConfig, isResident: boolean): Promise<OpenHookVerifier> {
  const { url, storage = '', key = '', timeout_ms: timeoutMs } = config;
  if (url === undefined) return openStored(storage);
  const apiKey = config.apiKey ?? (await keychainSecret(key));
  const options = { baseUrl: readBaseUrl(url), apiKey, ...(timeoutMs !== undefined && { timeoutMs }) };
  // A local verifier asks the service itself where its key may not decide.
  if (isResident) {
    const { createLocalVerifier } = await import('../../../src/verifier/index.ts');
    return createLocalVerifier({ ...options, name: 'hook' });
  }
  const [{ createIdentityClient }, { httpFetch }] = await Promise.all([
    import('../../../src/client.ts'),
    import('../mcp-guard/http-fetch.ts'),
  ]);
  return { ...createIdentityClient({ ...options, fetch: httpFetch }), close: async () => undefined };
}

async function openStored(url: string): Promise<OpenHookVerifier> {
  const { createIdentityService } = await import('../../../src/index.ts');
  const storage = await openStorage(readStorageUrl(url), { mustExist: true });
  return createIdentityService({ storage, allowLocalhost: true });
}

const run = promisify(execFile);
const LIMIT_MS = 5_000;

/** Reads the secret with the name `keychain:<service>`; throws a refusal if it is missing. */
async function keychainSecret(key: string): Promise<string> {
  const service = key.slice('keychain:'.length);
  const [program, args] =
    process.platform === 'darwin'
      ? ['/usr/bin/security', ['find-generic-password', '-s', service, '-w']]
      : ['/usr/bin/secret-tool', ['lookup', 'service', service]];
  try {
    const { stdout } = await run(program as string, args as string[], { timeout: LIMIT_MS });
    if (stdout.trim() !== '') return stdout.trim();
  } catch {
    // The error repeats the output of the program, which may hold a part of the secret.
  }
  throw refusal(
    `The keychain has no secret for the service ${JSON.stringify(service)}. Add it, or use --key-file.`,
  );
}
