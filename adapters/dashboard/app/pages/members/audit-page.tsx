import type { JSX } from 'preact';
import type { AccountOverview, ApiKey, AuditEntry, Member, Role } from '../../../../../src/types.ts';
import { Csv } from '../../parts/csv.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { call, queryOf } from '../../state/api.ts';
import { type Loaded, useLoad } from '../../state/load.ts';
import { usePages } from '../../state/pages.ts';
import { route, setQuery } from '../../state/route.ts';
import { AuditSentence, wordsOf } from './audit-sentence.tsx';

export const ROLES: readonly (readonly [role: Role, may: string])[] = [
  ['viewer', 'viewer: sees everything, changes nothing'],
  ['approver', 'approver: decides approvals, stops agents'],
  ['editor', 'editor: changes passports, keys, domains and webhooks'],
  ['admin', 'admin: editor and approver together'],
  ['owner', 'owner: admin, and manages members and the account'],
];

export function useAccount(): Loaded<AccountOverview> {
  return useLoad('account', (signal) => call<AccountOverview>('GET', '/account', { signal }));
}

export function nameOf({ name, email, id }: Pick<Member, 'name' | 'email' | 'id'>): string {
  return name ?? email ?? id;
}

const TYPES: readonly (readonly [string, string])[] = [
  ['', 'All changes'],
  ...[
    ...[
      'passport.created',
      'passport.updated',
      'passport.suspended',
      'passport.reinstated',
      'passport.revoked',
      'passport.purged',
    ],
    ...['key.created', 'key.updated', 'key.rotated', 'key.revoked', 'approval.requested', 'approval.decided'],
    ...['spend.settled', 'budget.threshold'],
    ...['member.invited', 'member.joined', 'member.updated', 'member.removed', 'member.link_created'],
    ...['member.login_replaced', 'member.sessions_ended', 'member.signed_in'],
    ...['webhook.created', 'webhook.updated', 'webhook.rotated', 'webhook.removed'],
    ...['domain.claimed', 'domain.released', 'domain.transferred'],
    ...['account.created', 'account.disabled', 'account.enabled', 'account.plan_changed'],
    ...['account.password_changed', 'account.login_throttled', 'subject.erased'],
  ].map((type) => [type, wordsOf(type)] as const),
];

export function AuditPage(): JSX.Element {
  const { query } = route.value;
  const filter = { type: query.get('type') ?? '', by: query.get('by') ?? '' };
  const pages = usePages<AuditEntry>(`/audit${queryOf(filter)}`);
  const members = usePages<Member>('/members?limit=100').loaded.data ?? [];
  const keys = usePages<ApiKey>('/keys?limit=100').loaded.data ?? [];
  const names = new Map(members.map((member) => [member.id, nameOf(member)]));
  const keyNames = new Map(keys.map(({ id, name }) => [id, `The API key ${name}`]));
  const columns: readonly Column<AuditEntry>[] = [
    { title: 'When', cell: ({ timestamp }) => <Time at={timestamp} ago /> },
    {
      title: 'Change',
      cell: (entry) => (
        <AuditSentence
          entry={entry}
          nameOf={(id) => names.get(id) ?? keyNames.get(id) ?? (id === 'operator' ? 'The operator' : id)}
        />
      ),
    },
  ];
  return (
    <Page
      title="Audit"
      lead="The changes in the account and who made them. Verdicts have their own page."
      actions={<Csv path={`/audit${queryOf(filter)}`} name="audit" />}
    >
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <SelectField
          label="Change"
          value={filter.type}
          onValue={(type) => setQuery({ type })}
          options={TYPES}
        />
        <SelectField
          label="By"
          value={filter.by}
          onValue={(author) => setQuery({ by: author })}
          options={[['', 'Everyone'], ...authorsOf(names, filter.by)]}
        />
      </form>
      <Shown of={pages.loaded}>
        {(entries) =>
          entries.length === 0 && !pages.hasMore ? (
            <Empty title="There is no such change." />
          ) : (
            <Table caption="Changes" columns={columns} rows={entries} idOf={({ id }) => id} />
          )
        }
      </Shown>
      <More pages={pages} />
    </Page>
  );
}

function authorsOf(
  names: ReadonlyMap<string, string>,
  chosenText: string,
): readonly (readonly [string, string])[] {
  const knownMap = new Map([...names, ['operator', 'the operator']]);
  if (chosenText !== '' && !knownMap.has(chosenText)) knownMap.set(chosenText, chosenText);
  return [...knownMap];
}
