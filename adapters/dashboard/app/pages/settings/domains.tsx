import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DomainClaim } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form, FormFailure } from '../../parts/form.tsx';
import { FailureNote, More, Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { call } from '../../state/api.ts';
import { usePages } from '../../state/pages.ts';
import { may } from '../../state/rights.ts';
import { useTask } from '../../state/task.ts';

const PROVE = 'POST /domains';

/**
 * Shows the domains of the account and their verification. Shows nothing if accounts of the service do not own domains.
 */
export function Domains(): JSX.Element | null {
  const pages = usePages<DomainClaim>('/domains');
  const [domain, setDomain] = useState('');
  const task = useTask();
  const { loaded } = pages;
  if (loaded.failure?.status === 404) return null;

  async function claim(): Promise<void> {
    await call('POST', '/domains', { body: { domain: domain.trim() } });
    setDomain('');
    loaded.reload();
    announce('The service gave you a token: publish it, then check.');
  }

  return (
    <section class="part">
      <h2>Domains</h2>
      {may(PROVE) && (
        <Form class="panel narrow" task={task} onSubmit={() => task.run(claim)}>
          <TextField
            label="Domain"
            placeholder="shop.example"
            hint="A proven domain belongs only to your account. Third parties trust the passports that you sign for it."
            {...{ value: domain, onValue: setDomain, error: task.errorAt('/domain') }}
            required
          />
          <FormFailure task={task} />
          <button type="submit" class="button primary" aria-busy={task.isRunning}>
            Prove domain
          </button>
        </Form>
      )}
      <Shown of={loaded} rows={1}>
        {(claims) =>
          claims.length === 0 ? (
            <p class="quiet">{may(PROVE) ? '' : 'None.'}</p>
          ) : (
            <div class="versions gap">
              {claims.map((claim) => (
                <Claim key={`${claim.domain} ${claim.created_at}`} claim={claim} onChanged={loaded.reload} />
              ))}
            </div>
          )
        }
      </Shown>
      <More pages={pages} />
    </section>
  );
}

function Claim({ claim, onChanged }: { claim: DomainClaim; onChanged: () => void }): JSX.Element {
  const { domain, status } = claim;
  const [isLeaving, setLeaving] = useState(false);
  const task = useTask();
  const path = `/domains/${encodeURIComponent(domain)}`;

  async function prove(): Promise<void> {
    await call('POST', '/domains', { body: { domain } });
    onChanged();
  }

  async function check(): Promise<void> {
    await call('POST', `${path}/check`);
    onChanged();
    announce(`${domain} is proven.`);
  }

  return (
    <section class="claim" aria-label={domain}>
      <div class="part-head">
        <h3 class="actions">
          {domain} <Status value={status} />
        </h3>
        <div class="actions">
          {claim.token !== undefined && may('POST /domains/{domain}/check') && (
            <button
              type="button"
              class="button small"
              onClick={() => task.run(check)}
              aria-busy={task.isRunning}
            >
              Check now
            </button>
          )}
          {isUnproven(claim) && may(PROVE) && (
            <button
              type="button"
              class="button small"
              onClick={() => task.run(prove)}
              aria-busy={task.isRunning}
            >
              Prove
            </button>
          )}
          {may('DELETE /domains/{domain}') && (
            <button type="button" class="button small danger-quiet" onClick={() => setLeaving(true)}>
              Give up
            </button>
          )}
        </div>
      </div>
      <Proof claim={claim} />
      <FailureNote failure={task.failure} />
      {isLeaving && (
        <Confirm
          title={`Give up ${domain}?`}
          action="Give up domain"
          onClose={() => setLeaving(false)}
          work={async () => {
            await call('DELETE', path);
            onChanged();
          }}
        >
          <p>Another account can then claim it. First revoke its passports.</p>
        </Confirm>
      )}
    </section>
  );
}

/** Says whether the account claims the domain, by issuing a passport for it, but has no verification token. */
function isUnproven({ status, dns, https }: DomainClaim): boolean {
  return status !== 'lost' && status !== 'proven' && (dns === undefined || https === undefined);
}

function Proof({ claim }: { claim: DomainClaim }): JSX.Element {
  const { status, method, proven_at, checked_at, dns, https, expires_at } = claim;
  if (status === 'lost') return <p>Another account owns it now. Its signed passports are revoked.</p>;
  if (status === 'proven') {
    return (
      <p>
        By {method === 'dns' ? 'DNS' : 'HTTPS'}
        {proven_at !== null && (
          <>
            , <Time at={proven_at} />
          </>
        )}
        {checked_at !== null && (
          <>
            ; last look <Time at={checked_at} ago />
          </>
        )}
        . Keep what you have published: the service looks again each day.
      </p>
    );
  }
  if (dns === undefined || https === undefined) {
    return <p class="quiet">Claimed by a passport, not proven.</p>;
  }
  return (
    <>
      <p>
        {status === 'lapsed' ? 'The token was missing for three days. ' : ''}
        Publish one of the two
        {expires_at && (
          <>
            {' '}
            until <Time at={expires_at} />
          </>
        )}
        , then check.
      </p>
      <CodeBlock label={`DNS: TXT record at ${dns.name}`} code={dns.value} />
      <CodeBlock label={`HTTPS: page at ${https.url}`} code={https.body} />
    </>
  );
}
