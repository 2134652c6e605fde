import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Member } from '../../../../../src/types.ts';
import { Page } from '../../parts/page.tsx';
import { More, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { usePages } from '../../state/pages.ts';
import { may } from '../../state/rights.ts';
import { nameOf, useAccount } from './audit-page.tsx';
import { InviteMember } from './invite-member.tsx';
import { ManageMember } from './manage-member.tsx';

const LOGINS: Readonly<Record<NonNullable<Member['login']>, string>> = {
  password: 'password',
  oidc: 'issuer',
  host: 'your application',
};

export function MembersPage(): JSX.Element {
  const [isInviting, setInviting] = useState(false);
  const [managedMember, setManaged] = useState<Member>();
  const pages = usePages<Member>('/members');
  const me = useAccount().data?.member;
  const isOwner = may('PATCH /members/{id}');
  // A host manages the people that it signs in.
  const mayLeave = may('DELETE /members/{id}');
  const mayManage = (member: Member): boolean => isOwner || (mayLeave && member.id === me?.id);
  const columns: readonly Column<Member>[] = [
    {
      title: 'Person',
      cell: (member) => (
        <>
          <span class="name clip" dir="auto">
            {nameOf(member)}
            {member.id === me?.id && ' (you)'}
          </span>
          <span class="sub clip" dir="auto">
            {underName(member)}
          </span>
        </>
      ),
    },
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Status', cell: ({ status }) => <Status value={status} />, isWide: true },
    {
      title: 'Signs in with',
      cell: ({ login }) => (login === null ? <span class="quiet">not yet</span> : LOGINS[login]),
      isWide: true,
    },
    { title: 'Since', cell: ({ created_at }) => <Time at={created_at} ago />, isWidest: true },
    {
      title: 'Change',
      cell: (member) =>
        mayManage(member) && (
          <button type="button" class="button small" onClick={() => setManaged(member)}>
            {member.id === me?.id && !isOwner ? 'Leave' : 'Change'}
            <span class="unseen"> {nameOf(member)}</span>
          </button>
        ),
    },
  ];
  return (
    <Page
      title="Members"
      lead="The people of this account. API keys and webhooks belong to the account. They stay when a person leaves."
      actions={
        may('POST /members') && (
          <button type="button" class="button primary" onClick={() => setInviting(true)}>
            Invite a person
          </button>
        )
      }
    >
      {me !== undefined && me !== null && !isOwner && mayLeave && (
        <p class="note">You are {article(me.role)}. Only an owner invites, changes and removes members.</p>
      )}
      <Shown of={pages.loaded}>
        {(members) => <Table caption="Members" columns={columns} rows={members} idOf={({ id }) => id} />}
      </Shown>
      <More pages={pages} />
      {isInviting && <InviteMember onInvited={pages.loaded.reload} onClose={() => setInviting(false)} />}
      {managedMember !== undefined && (
        <ManageMember
          member={managedMember}
          isOwner={isOwner}
          isSelf={managedMember.id === me?.id}
          onChanged={pages.loaded.reload}
          onClose={() => setManaged(undefined)}
        />
      )}
    </Page>
  );
}

function article(role: string): string {
  return `${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}`;
}

function underName({ id, name, email }: Member): string {
  if (name === null) return email === null ? 'no name yet' : id;
  return email ?? id;
}
