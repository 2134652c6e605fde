import { type Authenticate, fetchHandler } from '../../src/http/index.ts';
import type { LogEvent } from '../../src/ports/storage.ts';
import type { HostLogin } from '../../src/records.ts';
import { type Ask, toRequest } from './api.ts';
import type { Opened } from './service.ts';

/** An owner whom an application has signed in. */
export const ANN: HostLogin = { account: 'org-1', member: 'user-1', role: 'owner' };

/** The answer of an API: its status, and its JSON. */
export interface HostedAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The API of an application whose hook gives this answer. */
export function hosted(
  { service }: Pick<Opened, 'service'>,
  authenticate: Authenticate<Request>,
  trustedOrigins: readonly string[] = [],
): (method: string, path: string, given?: Ask) => Promise<HostedAnswer> {
  const handle = fetchHandler(service, { authenticate, trustedOrigins });
  return async (method, path, given = {}) => {
    const response = await handle(toRequest(method, path, given));
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const text = isJson ? await response.text() : '';
    if (!isJson) await response.body?.cancel();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
}

/** The lines of the log about logins of the application. */
export function failuresOf({ logs }: Pick<Opened, 'logs'>): readonly LogEvent[] {
  return logs.filter(({ event }) => event === 'host_login_failed');
}
