import type { JSX } from 'preact';
import { AnalyticsPage } from '../pages/analytics/analytics-page.tsx';
import { ApprovalsPage } from '../pages/approvals/approvals-page.tsx';
import { KeyList } from '../pages/keys/key-list.tsx';
import { OverviewPage } from '../pages/overview/overview-page.tsx';
import { EditPassport, NewPassport } from '../pages/passports/passport-form.tsx';
import { PassportList } from '../pages/passports/passport-list.tsx';
import { PassportPage } from '../pages/passports/passport-page.tsx';
import { TryPage } from '../pages/try/try-panel.tsx';
import { VerdictsPage } from '../pages/verdicts/verdicts-page.tsx';
import { WebhookList } from '../pages/webhooks/webhook-list.tsx';
import { WebhookPage } from '../pages/webhooks/webhook-page.tsx';
import { LaterPart } from '../parts/later.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { href, route } from '../state/route.ts';
import { useKeyScript, usePeopleScript } from '../state/second-script.ts';

const PAGES: Readonly<Record<string, () => JSX.Element>> = {
  overview: OverviewPage,
  keys: KeyList,
  passports: PassportList,
  approvals: ApprovalsPage,
  try: TryPage,
  verdicts: VerdictsPage,
  analytics: AnalyticsPage,
  webhooks: WebhookList,
  members: () => <PeoplePage name="members" />,
  audit: () => <PeoplePage name="audit" />,
  settings: () => <PeoplePage name="settings" />,
};

const PAGES_OF_ONE: Readonly<Record<string, (props: { id: string }) => JSX.Element>> = {
  keys: KeyAt,
  webhooks: WebhookPage,
  passports: PassportPage,
};

export function PageAt({ path }: { path: readonly string[] }): JSX.Element {
  const [first = 'overview', id, last] = path;
  if (id === undefined) {
    const Found = Object.hasOwn(PAGES, first) ? PAGES[first] : undefined;
    return Found === undefined ? <Missing /> : <Found />;
  }
  if (first === 'passports' && id === 'new')
    return <NewPassport parent={route.value.query.get('parent_agent_id') ?? ''} />;
  if (first === 'passports' && last === 'edit' && path.length === 3) return <EditPassport id={id} />;
  const Found = last === undefined && Object.hasOwn(PAGES_OF_ONE, first) ? PAGES_OF_ONE[first] : undefined;
  return Found === undefined ? <Missing /> : <Found id={id} />;
}

function KeyAt({ id }: { id: string }): JSX.Element {
  return <LaterPart of={useKeyScript()}>{({ KeyPage }) => <KeyPage id={id} />}</LaterPart>;
}

function Missing(): JSX.Element {
  return (
    <Page title="There is nothing here">
      <Empty title="The address may be misspelled, or the page no longer exists.">
        <a class="button" href={href(['overview'])}>
          Go to the overview
        </a>
      </Empty>
    </Page>
  );
}

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
