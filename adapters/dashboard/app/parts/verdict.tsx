import type { ComponentChildren, JSX } from 'preact';
import type { Verdict } from '../../../../src/index.ts';
import { href } from '../state/route.ts';
import { adviceOn } from '../text/reasons.ts';

export function VerdictCard(props: {
  verdict: Verdict;
  currency: string | null;
  note?: ComponentChildren;
}): JSX.Element {
  const { verdict, currency, note } = props;
  return (
    <div class={`card ${verdict.verdict.toLowerCase()}`}>
      <p class="card-head">
        <VerdictMark value={verdict.verdict} />
        <span>{verdict.verdict === 'ALLOW' ? 'Nothing objects.' : 'Denied, for every reason below.'}</span>
      </p>
      {verdict.reasons.length > 0 && (
        <ul class="reasons">
          {verdict.reasons.map((reason, place) => (
            <li key={`${place} ${reason.code}`}>
              <strong dir="auto">{reason.message}</strong> <code>{reason.code}</code>
              <p class="quiet" dir="auto">
                {adviceOn(reason, currency) ?? factsOf(reason)}
                <ApprovalLink id={reason['approval_id']} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {note !== undefined && <p class="hint">{note}</p>}
    </div>
  );
}

function ApprovalLink({ id }: { id: unknown }): JSX.Element | null {
  if (typeof id !== 'string') return null;
  return (
    <>
      {' '}
      <a href={href(['approvals'], { approval: id })}>Open the approval</a>
    </>
  );
}

function factsOf({ code: _, message: __, ...facts }: Verdict['reasons'][number]): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

export function Status({ value }: { value: string }): JSX.Element {
  return <span class={`status ${value}`}>{value}</span>;
}

export function VerdictMark({ value }: { value: 'ALLOW' | 'DENY' }): JSX.Element {
  return <span class={`verdict ${value.toLowerCase()}`}>{value}</span>;
}
