/** An account with people and management keys, over HTTP. */
import type { Role, Scope } from '../../../src/records.ts';
import { type Answer, type Api, issue, openApi, signIn } from '../../support/api.ts';
import { type Opened, openService, PASSWORD, type WholeOptions } from '../../support/service.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Sends a request with a management key. */
export type AskKey = (
  key: string,
  method: string,
  path: string,
  json?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** The account. */
export interface Team extends Opened {
  readonly api: Api;
  readonly token: string;
  readonly account_id: string;
  /** An agent of `example.com`. */
  readonly agent_id: string;
  /** The end of new management keys. */
  readonly expires_at: string;
  readonly ask: AskKey;
  /** Makes a management key, by default as the owner; returns its answer. */
  makeKey(scopes: readonly Scope[], more?: object, who?: string): Promise<Answer>;
  /** Makes a management key, and returns its text. */
  keyOf(scopes: readonly Scope[], more?: object, who?: string): Promise<string>;
  /** Lets a person join, and returns its token. */
  join(role: Role): Promise<string>;
}

/** Returns the path of a passport. */
export function pathOf(agent_id: string): string {
  return `/passports/${encodeURIComponent(agent_id)}`;
}

/** Opens the account. */
export async function openTeam(options: WholeOptions = {}): Promise<Team> {
  const opened = openService(options);
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  const agent_id = await issue(api, token);
  const expires_at = opened.clock.instant(30 * DAY_MS);
  const makeKey: Team['makeKey'] = (scopes, more = {}, who = token) =>
    api.ask('POST', '/keys', { token: who, json: { name: 'pipeline', scopes, expires_at, ...more } });
  return {
    ...opened,
    api,
    token,
    account_id,
    agent_id,
    expires_at,
    ask: (key, method, path, json, headers = {}) =>
      api.ask(method, path, { key, headers, ...(json && { json }) }),
    makeKey,
    async keyOf(scopes, more, who) {
      return String((await makeKey(scopes, more, who)).body['key']);
    },
    async join(role) {
      const email = `${role}@example.com`;
      const { link } = await opened.service.members.invite({ role, email }, { account_id });
      return (await opened.service.acceptLink({ token: link.token, password: PASSWORD })).access_token;
    },
  };
}
