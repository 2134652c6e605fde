import type { JSX } from 'preact';
import type { Passport } from '../../../../../src/index.ts';
import type { Approval, ApprovedChange, Member } from '../../../../../src/types.ts';
import { differenceSentence } from '../../../../../src/verdict/compare/index.ts';
import { announce } from '../../parts/announce.tsx';
import { Lines } from '../../parts/copy.tsx';
import { SelectField } from '../../parts/field.tsx';
import { FailureNote } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { may } from '../../state/rights.ts';
import { go } from '../../state/route.ts';
import { useTask } from '../../state/task.ts';
import { RESULTS } from '../../text/replay-words.ts';
import { plural } from '../../text/words.ts';
import { useAccount } from '../members/audit-page.tsx';

const DECIDING: readonly string[] = ['approver', 'admin', 'owner'];

const PEOPLE = '/members?limit=100';

function usePeople(): readonly Member[] | undefined {
  const { data } = useLoad(PEOPLE, (signal) => call<{ data: readonly Member[] }>('GET', PEOPLE, { signal }));
  return data?.data;
}

export function Decided({ approval }: { approval: Approval }): JSX.Element {
  // The note of the decision that ended it stands among the facts.
  const { change, decisions, needed, by, requested_by, status, decided_by } = approval;
  const people = usePeople();
  const nameOf = (id: string): string => {
    const member = people?.find((entry) => entry.id === id);
    return member?.name ?? member?.email ?? id;
  };
  const missing = needed - decisions.length;
  return (
    <section class="part">
      {change !== undefined && <ChangeLines of={change} />}
      <h3>{`Approved by ${decisions.length} of ${needed}`}</h3>
      <ul class="entries">
        {decisions.map((approval) => (
          <li key={approval.by}>
            <bdi>{nameOf(approval.by)}</bdi> <Time at={approval.at} seconds />
            {approval.note !== null && approval.by !== decided_by && (
              <bdi>
                {' '}
                <Lines of={approval.note} />
              </bdi>
            )}
          </li>
        ))}
      </ul>
      {requested_by !== null && (
        <p>
          Asked by <bdi>{nameOf(requested_by)}</bdi>
          {by === 'another' || change !== undefined ? ', whose own approval does not count.' : '.'}
        </p>
      )}
      {by === 'another' && (
        <p>The approval of the person who last widened the passport does not count either.</p>
      )}
      {status === 'pending' && missing > 0 && <p>{`${plural(missing, 'more person')} must approve.`}</p>}
      {status === 'pending' && <MissingApprovers of={approval} />}
      {status === 'approved' && change !== undefined && may('PATCH /passports/{agent_id}') && (
        <Apply approval={approval} change={change} />
      )}
    </section>
  );
}

function MissingApprovers({ of: { missing_approvers: missing } }: { of: Approval }): JSX.Element | null {
  if (missing === undefined) return null;
  return (
    <p class="note">{`The account has too few people who may approve this: ${plural(missing, 'more approver')} must join. An owner can give a member the role approver, admin or owner.`}</p>
  );
}

/**
 * Warns if fewer people may decide than are needed. If `by` is `another`, the person who saves the passport does not
 * count.
 */
export function FewPeople({ needed, by }: { needed: number; by: string }): JSX.Element | null {
  const people = usePeople();
  const self = useAccount().data?.member?.id;
  const deciding = people?.filter(
    ({ id, role, status }) =>
      status === 'active' && DECIDING.includes(role) && !(by === 'another' && id === self),
  ).length;
  if (deciding === undefined || deciding >= needed || people?.length === 0 || people?.length === 100)
    return null;
  const approverGroup = by === 'another' ? 'other people' : 'people';
  return (
    <p class="note">{`Nobody can complete such an approval: it needs ${needed} ${approverGroup} who may approve, and this account has ${deciding}.`}</p>
  );
}

function ChangeLines({ of: { version, result, example } }: { of: ApprovedChange }): JSX.Element {
  return (
    <>
      <h3>{`The change of version ${version}`}</h3>
      <p>
        <strong>{RESULTS[result]}</strong>
      </p>
      {example !== null && <p dir="auto">{differenceSentence(example, 'wider')}</p>}
    </>
  );
}

function Apply({ approval, change }: { approval: Approval; change: ApprovedChange }): JSX.Element {
  const task = useTask();
  async function apply(): Promise<void> {
    const { id, agent_id } = approval;
    const headers = { 'content-type': 'application/merge-patch+json', 'approval-id': id };
    await call<Passport>('PATCH', `/passports/${encodeURIComponent(agent_id)}`, {
      body: change.patch,
      headers,
    });
    announce('The passport is changed.');
    go(['passports', agent_id]);
  }
  return (
    <>
      <FailureNote failure={task.failure} />
      <button type="button" class="button primary" aria-busy={task.isRunning} onClick={() => task.run(apply)}>
        Apply the change
      </button>
    </>
  );
}

export function PeopleFields({
  bind,
}: {
  bind: (name: 'count' | 'by' | 'changes') => {
    value: string;
    onValue: (value: string) => void;
    error: string | undefined;
  };
}): JSX.Element {
  return (
    <div class="fields">
      <SelectField
        label="People who must approve"
        options={[
          ['', 'one'],
          ['2', 'two'],
          ['3', 'three'],
        ]}
        {...bind('count')}
      />
      <SelectField
        label="Whose approval counts"
        hint="Another person: not the person who asked, and not the person who last widened the passport."
        options={[
          ['', 'anyone'],
          ['another', 'another person'],
        ]}
        {...bind('by')}
      />
      <SelectField
        label="Changes that let more happen"
        options={[
          ['', 'are saved at once'],
          ['true', 'need the same people'],
        ]}
        {...bind('changes')}
      />
    </div>
  );
}
