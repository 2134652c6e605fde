import type { JSX } from 'preact';
import { LaterPart } from '../parts/later.tsx';
import { usePeopleScript } from '../state/second-script.ts';

export function PeoplePage({
  name,
  token = '',
}: {
  name: 'settings' | 'members' | 'audit' | 'join';
  token?: string;
}): JSX.Element {
  return (
    <LaterPart of={usePeopleScript()}>
      {({ SettingsPage, MembersPage, AuditPage, JoinPage }) => {
        if (name === 'join') return <JoinPage token={token} />;
        if (name === 'settings') return <SettingsPage />;
        return name === 'members' ? <MembersPage /> : <AuditPage />;
      }}
    </LaterPart>
  );
}
