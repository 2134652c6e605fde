import type { JSX } from 'preact';
import type { Passport } from '../../../../../src/index.ts';
import { Lines } from '../../parts/copy.tsx';
import { Page } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { Facts } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { may } from '../../state/rights.ts';
import { href } from '../../state/route.ts';
import { useSecondScript } from '../../state/second-script.ts';
import { linesOfPaces } from '../../text/budget-lines.ts';
import { money } from '../../text/words.ts';
import { AgentLink, ChildAgents, Entries, plainRows } from './entries.tsx';
import { StateButtons } from './state-dialogs.tsx';
import { Versions } from './versions.tsx';

export function PassportPage({ id }: { id: string }): JSX.Element {
  const path = `/passports/${encodeURIComponent(id)}`;
  const passport = useLoad(path, (signal) => call<Passport>('GET', path, { signal }));
  const { data } = passport;
  const script = useSecondScript();
  return (
    <Page
      title={data?.agent_name ?? 'Passport'}
      lead={<code>{id}</code>}
      back={<a href={href(['passports'])}>Passports</a>}
      actions={data && <Actions passport={data} onDone={passport.reload} />}
    >
      <Shown of={passport} rows={8}>
        {(record) => (
          <>
            <PassportFacts passport={record} />
            {record.parent_agent_id !== undefined && script !== 'failed' && script && (
              <script.Effective id={id} />
            )}
            {record.budgets !== undefined && record.budgets.length > 0 && (
              <section class="part">
                <h2>Budgets</h2>
                {script !== 'failed' && script && <script.Budgets id={id} currency={record.currency} />}
              </section>
            )}
            {script !== 'failed' && script?.isForTokens(record) && (
              <script.AccessTokens passport={record} onDone={passport.reload} />
            )}
            <ChildAgents id={id} mayHaveMore={record.status !== 'revoked'} />
            <section class="part">
              <h2>Versions</h2>
              <Versions key={record.version} id={id} />
            </section>
          </>
        )}
      </Shown>
    </Page>
  );
}

function Actions({ passport, onDone }: { passport: Passport; onDone: () => void }): JSX.Element {
  const { agent_id, status } = passport;
  const links = (
    <>
      <a class="button" href={href(['try'], { agent_id })}>
        Try it
      </a>
      <a class="button" href={href(['verdicts'], { agent_id })}>
        Verdicts
      </a>
      {passport.approval !== undefined && (
        <a class="button" href={href(['approvals'], { agent_id })}>
          Approvals
        </a>
      )}
    </>
  );
  if (status === 'revoked') return links;
  return (
    <>
      {links}
      {may('PATCH /passports/{agent_id}') && (
        <a class="button" href={href(['passports', agent_id, 'edit'])}>
          Edit
        </a>
      )}
      <StateButtons passport={passport} onDone={onDone} />
    </>
  );
}

function PassportFacts({ passport }: { passport: Passport }): JSX.Element {
  const { suspended_until, suspension_reason, revoked_at, revocation_reason, not_before, expires_at } =
    passport;
  const state = (
    <>
      <Status value={passport.status} />
      {passport.status === 'suspended' && (
        <span class="quiet">
          {' '}
          {suspended_until === null ? (
            'without an end'
          ) : (
            <>
              until <Time at={suspended_until} />
            </>
          )}
        </span>
      )}
    </>
  );
  return (
    <Facts
      rows={[
        ['Status', state],
        ...(suspension_reason === null
          ? []
          : [
              [
                'Suspended because',
                <bdi key="why">
                  <Lines of={suspension_reason} />
                </bdi>,
              ] as const,
            ]),
        ...(revoked_at === null ? [] : [['Revoked', <Time key="at" at={revoked_at} />] as const]),
        ...(revocation_reason === null
          ? []
          : [
              [
                'Revoked because',
                <bdi key="why">
                  <Lines of={revocation_reason} />
                </bdi>,
              ] as const,
            ]),
        ...(passport.parent_agent_id === undefined
          ? []
          : [['Helps', <AgentLink key="p" id={passport.parent_agent_id} />] as const]),
        ...limitRows(passport),
        ['Valid from', not_before ? <Time at={not_before} /> : 'since it was issued'],
        ['Valid until', expires_at ? <Time at={expires_at} /> : 'no end'],
        ['Proof of possession', passport.proof ?? 'optional'],
        [
          'Description',
          passport.description && (
            <bdi>
              <Lines of={passport.description} />
            </bdi>
          ),
        ],
        ['Public keys', <Entries key="k" of={keys(passport)} />],
        ['Metadata', <Entries key="x" of={pairs(passport)} />],
        ['Owner', passport.owner],
        ['Seen', passport.last_seen_at && <Time at={passport.last_seen_at} />],
        ...(passport.managed_by === undefined
          ? []
          : [['Managed by', `files of the set ${passport.managed_by}`] as const]),
        ['Version', `${passport.version}`],
        ['Issued', <Time key="c" at={passport.created_at} />],
        ['Updated', <Time key="u" at={passport.updated_at} />],
      ]}
    />
  );
}

function Conditions({ of }: { of: Passport['conditions'] }): JSX.Element {
  const script = useSecondScript();
  const spell = script !== 'failed' && script ? script.conditionSentence : JSON.stringify;
  return <Entries of={of?.map((one) => spell(one))} />;
}

function Orders({ of }: { of: Passport['order'] }): JSX.Element {
  const script = useSecondScript();
  const spell = script !== 'failed' && script ? script.orderSentence : JSON.stringify;
  return <Entries of={of?.map((one) => spell(one))} />;
}

function limitRows(passport: Passport): readonly (readonly [string, JSX.Element | string])[] {
  return [
    ['Allowed actions', <Entries key="a" of={passport.allowed_actions} />],
    ['Limit per transaction', money(passport.monetary_limit_per_txn, passport.currency ?? 'in any currency')],
    ['Must carry an amount', <Entries key="m" of={passport.monetary_actions} />],
    ['A person is asked', <Entries key="p" of={asking(passport)} />],
    ...plainRows(passport),
    ['Conditions', <Conditions key="c" of={passport.conditions} />],
    ['Pace', <Entries key="r" of={passport.pace && linesOfPaces(passport.pace)} />],
    ['Order', <Orders key="o" of={passport.order} />],
  ];
}

/** Returns the public keys as text. The `kid` is the thumbprint by which people compare keys. */
function keys({ public_keys = [] }: Passport): readonly string[] {
  return public_keys.map(({ kid, alg }) => `${kid} (${alg})`);
}

function asking({ approval, currency }: Passport): readonly string[] {
  if (approval === undefined) return [];
  const { above, actions = [], count = 1, by, changes } = approval;
  return [
    ...(above === undefined ? [] : [`above ${money(above, currency)}`]),
    ...actions,
    ...(count > 1 ? [`${count} different people`] : []),
    ...(by === 'another' ? ['another person'] : []),
    ...(changes ? ['also for wider changes'] : []),
  ];
}

function pairs({ metadata = {} }: Passport): readonly string[] {
  return Object.entries(metadata).map(([name, value]) => `${name} = ${value}`);
}
