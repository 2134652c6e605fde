/** An account of a service, with an agent, people and the tools of a management key. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ToolAnswer } from '../../adapters/mcp-server/answers.ts';
import { type Assistant, openAssistant } from '../../adapters/mcp-server/index.ts';
import { createAdminClient } from '../../src/client.ts';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import type { Scope } from '../../src/records.ts';
import { openTeam, type Team } from '../http/management/team.ts';

/** Every scope that a key of an assistant may have. */
export const ALL: readonly Scope[] = [
  ...(['passports:propose', 'keys:read', 'approvals:read', 'verifications:read'] as const),
  ...(['audit:read', 'analytics:read', 'webhooks:read', 'revoke'] as const),
];

/** The tools over a service in this process. */
export interface Desk extends Team {
  /** Opens the tools of a new key. */
  open(scopes?: readonly Scope[], more?: object): Promise<Assistant>;
  /** Approves as another person. */
  approve(id: unknown): Promise<void>;
}

/** Opens the account with an agent that may pay up to 100 EUR. */
export async function openDesk(): Promise<Desk> {
  const team = await openTeam();
  const { service, keyOf, api, agent_id, account_id, join } = team;
  await service.passports.update(
    agent_id,
    { allowed_actions: ['pay'], monetary_limit_per_txn: 100, currency: 'EUR', monetary_actions: ['pay'] },
    { account_id },
  );
  const approver = await join('approver');
  const handle = fetchHandler(service);
  const fetch: typeof globalThis.fetch = (url, init) => handle(new Request(url, init));
  return {
    ...team,
    async open(scopes = ALL, more = {}) {
      const apiKey = await keyOf(scopes, more);
      return openAssistant(createAdminClient({ baseUrl: 'https://id.example.net/api', apiKey, fetch }));
    },
    async approve(id) {
      await api.ask('POST', `/approvals/${id}/approve`, { token: approver });
    },
  };
}

/** Serves the service of the desk over HTTP until the end of the test; returns its address. */
export async function serveDesk({ service }: Pick<Desk, 'service'>): Promise<string> {
  const server = createServer(nodeListener(service)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the record of an answer. */
export function recordOf({ structuredContent }: ToolAnswer): Readonly<Record<string, unknown>> {
  return structuredContent;
}

/** Returns the records of a page. */
export function itemsOf(answer: ToolAnswer): readonly Readonly<Record<string, unknown>>[] {
  return recordOf(answer)['data'] as readonly Readonly<Record<string, unknown>>[];
}
