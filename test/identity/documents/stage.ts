import { type DidServingOptions, didHandler } from '../../../src/identity/index.ts';
import type { Opened, WholeOptions } from '../../support/service.ts';
import { openService, PASSWORD, SECRET } from '../../support/service.ts';

/** An answer, with its text. */
export interface Served {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A service with accounts, and what third parties read of it. */
export interface DidStage extends Opened {
  /** Opens an account; its id. */
  account(email: string): Promise<string>;
  /** Asks for a path of a host; `undefined` for a path that is not served. */
  ask(
    host: string,
    path: string,
    init?: RequestInit,
    options?: DidServingOptions,
  ): Promise<Served | undefined>;
}

export const PASSPORT = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 10 } as const;
export const PUBLIC_URL = 'https://id.example.com/api';

export function openDidStage(options: WholeOptions = {}): DidStage {
  const opened = openService({ identity: { secret: SECRET, publicUrl: PUBLIC_URL }, ...options });
  const { service } = opened;
  const handlers = new Map<string, ReturnType<typeof didHandler>>();
  return {
    ...opened,
    account: async (email) => (await service.accounts.create({ email, password: PASSWORD })).id,
    async ask(host, path, init = {}, serving = {}) {
      const name = JSON.stringify(serving);
      const handle = handlers.get(name) ?? didHandler(service, serving);
      handlers.set(name, handle);
      const answer = await handle(new Request(`https://${host}${path}`, init));
      return answer && { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
  };
}
