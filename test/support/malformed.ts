import { expect } from 'vitest';
import { type Api, type Ask, expectProblem, openApi, signIn } from './api.ts';
import { type Opened, openService } from './service.ts';
import { dump } from './storage-probe.ts';

/** A service with one account, and a guard that nothing is stored by what is refused. */
export interface Stage {
  readonly opened: Opened;
  readonly api: Api;
  readonly token: string;
  /** Expects the problem, and a storage that is what it was; the paths of its errors. */
  refused(method: string, path: string, ask: Ask, status: number, code: string): Promise<readonly string[]>;
}

export async function openStage(options: Parameters<typeof openService>[0] = {}): Promise<Stage> {
  const opened = openService(options);
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  return {
    opened,
    api,
    token,
    async refused(method, path, ask, status, code) {
      const before = await dump(opened.storage);
      const paths = expectProblem(await api.ask(method, path, ask), status, code);
      expect(await dump(opened.storage)).toBe(before);
      return paths;
    },
  };
}
