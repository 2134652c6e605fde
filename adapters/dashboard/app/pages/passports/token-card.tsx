import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Page, Passport, TrustedIssuer, VerdictRecord } from '../../../../../src/types.ts';
import { Shown } from '../../parts/states.tsx';
import { type Column, Facts, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { call, queryOf } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { may } from '../../state/rights.ts';
import { count } from '../../text/words.ts';
import { Entries } from './entries.tsx';
import { Suspend } from './state-dialogs.tsx';

const ACTION = 'oauth:token';
const HOUR_MS = 3_600_000;
const MAX_PAGES = 5;

interface Issued {
  readonly resource: string;
  readonly tokens: number;
  readonly lastAt: string;
}

const COLUMNS: readonly Column<Issued>[] = [
  { title: 'Resource', cell: ({ resource }) => <code class="break">{resource}</code> },
  { title: 'Tokens', cell: ({ tokens }) => count(tokens), isNumber: true },
  { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} ago /> },
];

export function AccessTokens({ passport, onDone }: { passport: Passport; onDone: () => void }): JSX.Element {
  const { agent_id: id, agent_name: name, status } = passport;
  const [isOpen, setOpen] = useState(false);
  const issued = useLoad(`tokens ${id} ${passport.version}`, (signal) => readTokens(id, signal));
  const maySuspend = status === 'active' && may('POST /suspend');
  return (
    <section class="part">
      <h2>Access tokens</h2>
      {passport.trusted_issuers !== undefined && (
        <Facts rows={[['Trusted issuers', <Entries key="i" of={passport.trusted_issuers.map(trustOf)} />]]} />
      )}
      <p class="lead under">
        In the last hour, by resource. A token is valid for at most five minutes. To end all of them, suspend
        the agent.
      </p>
      <Shown of={issued} rows={2}>
        {({ rows, isWhole }) => (
          <>
            {rows.length === 0 ? (
              <p class="quiet">The agent got none.</p>
            ) : (
              <Table
                caption="Access tokens"
                columns={COLUMNS}
                rows={rows}
                idOf={({ resource }) => resource}
              />
            )}
            {!isWhole && <p class="note">The agent has more verdicts in this hour than this page reads.</p>}
          </>
        )}
      </Shown>
      {maySuspend && (
        <p class="foot">
          <button type="button" class="button" onClick={() => setOpen(true)}>
            Suspend
          </button>
        </p>
      )}
      {isOpen && <Suspend id={id} name={name} onDone={onDone} onClose={() => setOpen(false)} />}
    </section>
  );
}

function trustOf({ issuer, use, subjects = ['every subject'] }: TrustedIssuer): string {
  return `${use} of ${issuer}: ${subjects.join(', ')}`;
}

/** Says whether a passport explicitly allows access tokens, and not only by allowing every action. */
export function isForTokens({ allowed_actions, trusted_issuers, metadata = {} }: Passport): boolean {
  const isNamed = allowed_actions.some((entry) => entry === ACTION || entry === 'oauth:*');
  return isNamed || trusted_issuers !== undefined || 'workload_issuer' in metadata;
}

async function readTokens(
  agent_id: string,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly Issued[]; readonly isWhole: boolean }> {
  const from = new Date(Date.now() - HOUR_MS).toISOString();
  const range = { agent_id, verdict: 'ALLOW', dry_run: 'false', from, limit: 100 };
  const rows = new Map<string, Issued>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const path = `/verifications${queryOf({ ...range, cursor })}`;
    const answer: Page<VerdictRecord> = await call('GET', path, { signal });
    for (const { action, permit_audience: resource, evaluated_at } of answer.data) {
      if (action !== ACTION || resource === null) continue;
      const known = rows.get(resource);
      const lastAt = known?.lastAt ?? evaluated_at;
      rows.set(resource, { resource, tokens: (known?.tokens ?? 0) + 1, lastAt });
    }
    cursor = answer.next_cursor ?? undefined;
    if (cursor === undefined) return { rows: [...rows.values()], isWhole: true };
  }
  return { rows: [...rows.values()], isWhole: false };
}
