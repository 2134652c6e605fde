import type { ComponentChildren, JSX } from 'preact';
import type { AuditEntry } from '../../../../../src/types.ts';
import { href } from '../../state/route.ts';
import { money, shortAgent } from '../../text/words.ts';

type Facts = AuditEntry['data'];

type Words = readonly [before: string, after?: (facts: Facts) => string];

const WORDS: Readonly<Record<string, Words>> = {
  'passport.created': ['issued the passport of'],
  'passport.updated': ['changed the passport of', ({ version }) => `to version ${version}`],
  'passport.suspended': [
    'suspended',
    ({ suspended_until, suspension_reason }) =>
      `${suspended_until ? `until ${suspended_until}` : ''} ${because(suspension_reason)}`,
  ],
  'passport.reinstated': ['reinstated'],
  'passport.revoked': ['revoked', ({ revocation_reason }) => because(revocation_reason)],
  'passport.purged': ['purged the records of'],
  'key.created': ['created the API key'],
  'key.updated': ['changed the API key'],
  'key.rotated': ['rotated an API key; the new one is'],
  'key.revoked': ['revoked the API key'],
  'approval.requested': ['asked for an approval for'],
  'approval.decided': ['decided an approval for', ({ status }) => `: ${status}`],
  'spend.settled': ['A spend was settled for'],
  'budget.threshold': ['A budget has reached its warning for', ({ name }) => `: ${name}`],
  'member.invited': ['invited', ({ role }) => `as ${role}`],
  'member.joined': ['chose how to sign in', ({ role }) => `as ${role}`],
  'member.updated': ['changed', ({ role }) => `, now ${role}`],
  'member.removed': ['removed'],
  'member.link_created': ['made a sign-in link for'],
  'member.login_replaced': ['replaced the login of'],
  'member.sessions_ended': ['ended the sessions of'],
  'member.signed_in': ['signed in', ({ method }) => `with ${method}`],
  'webhook.created': ['added the webhook'],
  'webhook.updated': ['changed the webhook'],
  'webhook.rotated': ['rotated the secret of the webhook'],
  'webhook.removed': ['removed the webhook'],
  'domain.claimed': ['claimed the domain'],
  'domain.released': ['released the domain'],
  'domain.transferred': [
    'transferred the domain',
    ({ received }) => (received ? 'to this account' : 'to another account'),
  ],
  'account.created': ['opened the account'],
  'account.disabled': ['disabled the account'],
  'account.enabled': ['enabled the account'],
  'account.plan_changed': ['changed the plan', ({ plan }) => `to ${plan}`],
  'account.password_changed': ['changed a password'],
  'subject.erased': ['erased a subject', ({ records }) => `from ${records} records`],
  'account.login_throttled': ['Sign-ins were slowed down after too many wrong passwords'],
};

export function AuditSentence(props: { entry: AuditEntry; nameOf: (id: string) => string }): JSX.Element {
  const { entry, nameOf } = props;
  const { type, by, data } = entry;
  const [textBefore, textAfter] = WORDS[type] ?? [wordsOf(type)];
  const thing = thingOf(entry, nameOf);
  const end = textAfter?.(data).trim() ?? '';
  return (
    <span class="break">
      {by !== null && (
        <>
          <bdi>{nameOf(by)}</bdi>{' '}
        </>
      )}
      {by === null && type.startsWith('passport.') && 'The service '}
      {textBefore}
      {thing !== null && <> {thing}</>}
      {end !== '' && (
        <>
          {/^[,:;]/.test(end) ? '' : ' '}
          <bdi>{end}</bdi>
        </>
      )}
      .
    </span>
  );
}

function thingOf({ type, by, data }: AuditEntry, nameOf: (id: string) => string): ComponentChildren {
  const { agent_id, id, name, webhook_id, domain, member_id, spend } = data;
  const [room] = type.split('.');
  if (room === 'spend') return spendOf(Object(spend));
  if (room === 'approval' && typeof id === 'string')
    return <Link path={['approvals']} query={{ approval: id }} text={shortAgent(`${agent_id}`)} />;
  if (room === 'key') return <Link path={['keys', `${id}`]} text={`${name ?? id}`} />;
  if (typeof agent_id === 'string')
    return <Link path={['passports', agent_id]} text={shortAgent(agent_id)} />;
  if (typeof webhook_id === 'string') return <Link path={['webhooks', webhook_id]} text={webhook_id} />;
  if (typeof member_id === 'string') return member_id === by ? null : <bdi>{nameOf(member_id)}</bdi>;
  return typeof domain === 'string' ? <bdi>{domain}</bdi> : null;
}

function spendOf({ agent_id, status, amount, currency }: Record<string, unknown>): JSX.Element {
  return (
    <>
      <Link path={['passports', `${agent_id}`]} text={shortAgent(`${agent_id}`)} />: {`${status}`}
      {(typeof amount === 'number' || typeof amount === 'string') && `, ${money(amount, currency as string)}`}
    </>
  );
}

function Link(props: {
  path: readonly string[];
  query?: Readonly<Record<string, string>>;
  text: string;
}): JSX.Element {
  return (
    <a dir="auto" href={href(props.path, props.query)}>
      {props.text}
    </a>
  );
}

function because(reason: unknown): string {
  return typeof reason === 'string' ? `because “${reason}”` : '';
}

export function wordsOf(type: string): string {
  return type.replaceAll(/[._]/g, ' ');
}
