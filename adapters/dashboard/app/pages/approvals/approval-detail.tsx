import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Intent } from '../../../../../src/index.ts';
import type { Approval, ApprovedIntent } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { CodeBlock, Lines } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { LinesField } from '../../parts/field.tsx';
import { FailureNote, Shown } from '../../parts/states.tsx';
import { Facts } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { may } from '../../state/rights.ts';
import { useSecondScript } from '../../state/second-script.ts';
import { useTask } from '../../state/task.ts';
import { currencyIn, moneyIn, usageRow } from '../../text/intent.ts';
import { money, shortAgent } from '../../text/words.ts';
import { AgentLink } from '../passports/entries.tsx';

export function ApprovalDetail(props: {
  id: string;
  known: Approval | undefined;
  onDecided: () => void;
  onClose: () => void;
}): JSX.Element {
  const { id, known, onDecided, onClose } = props;
  const path = `/approvals/${encodeURIComponent(id)}`;
  const loading = useLoad(path, (signal) => call<Approval>('GET', path, { signal }));
  const data = loading.data ?? known;
  const script = useSecondScript();
  return (
    <Dialog title="Approval" onClose={onClose}>
      <Shown of={{ ...loading, data }} rows={8}>
        {(approval) => (
          <>
            <ApprovalFacts approval={approval} />
            {approval.change === undefined ? (
              <CodeBlock label="The exact intent" code={JSON.stringify(approval.intent, null, 2)} />
            ) : (
              <>
                <CodeBlock label="The exact change" code={JSON.stringify(approval.change.patch, null, 2)} />
                <CodeBlock
                  label={`Differences from version ${approval.change.since}`}
                  code={JSON.stringify(approval.change.difference, null, 2)}
                />
              </>
            )}
            {script !== 'failed' && script && <script.Decided approval={approval} />}
          </>
        )}
      </Shown>
      {data?.status === 'pending' && may('POST /approvals/{id}/reject') ? (
        <Decision
          path={path}
          onClose={onClose}
          onDecided={(decidedApproval) => {
            announce(sentenceOn(decidedApproval));
            onDecided();
            onClose();
          }}
        />
      ) : (
        <div class="actions">
          <Close onClose={onClose} />
        </div>
      )}
    </Dialog>
  );
}

function sentenceOn({ kind, status, ...people }: Approval): string {
  return status === 'pending'
    ? `${people.decisions.length} of ${people.needed} have approved.`
    : `The ${kind} was ${status}.`;
}

function Close({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <button type="button" class="button" onClick={onClose}>
      Close
    </button>
  );
}

function ApprovalFacts({ approval }: { approval: Approval }): JSX.Element {
  const { intent, agent_id, decided_by, decided_at, note } = approval;
  return (
    <Facts
      rows={[
        ['Status', <Status key="s" value={approval.status} />],
        ['Agent', <AgentLink key="a" id={agent_id} />],
        ...(intent === undefined
          ? []
          : ([
              ['Action', <code key="c">{intent.action}</code>],
              ['Amount', moneyIn(intent)],
              usageRow(intent),
              ['Target', intent.target && <code>{intent.target}</code>],
              ...parameterRows(intent),
              ...permitRows(intent),
            ] as const)),
        ['Needs approval because', <Why key="w" approval={approval} />],
        ['Environment', approval.environment],
        ['Asked', <Time key="t" at={approval.created_at} seconds />],
        ['Ends', <Time key="e" at={approval.expires_at} seconds />],
        ...(decided_at === null ? [] : [['Decided', <Time key="d" at={decided_at} seconds />] as const]),
        ...(decided_by === null ? [] : [['Decided by', <code key="b">{decided_by}</code>] as const]),
        ...(note === null
          ? []
          : [
              [
                'Note',
                <bdi key="n">
                  <Lines of={note} />
                </bdi>,
              ] as const,
            ]),
        ...(approval.decision_id === null
          ? []
          : [['Used by the verdict', <code key="v">{approval.decision_id}</code>] as const]),
      ]}
    />
  );
}

function parameterRows({ parameters = {} }: Intent): readonly (readonly [string, JSX.Element])[] {
  return Object.entries(parameters)
    .filter(([name]) => name !== 'amount' && name !== 'currency')
    .map(([name, value]) => [
      `Parameter ${name}`,
      <code key={name} class="break" dir="auto">
        {typeof value === 'string' ? value : JSON.stringify(value)}
      </code>,
    ]);
}

function permitRows({ permit }: ApprovedIntent): readonly (readonly [string, JSX.Element | string])[] {
  if (permit === undefined) return [];
  const { audience, seconds, bind } = permit;
  return [
    [
      'Permit for',
      <code key="p" class="break">
        {audience}
      </code>,
    ],
    ['Permit lasts', `${seconds} s${bind ? ', bound to the key of the agent' : ''}`],
  ];
}

function Why({ approval }: { approval: Approval }): JSX.Element {
  const currency = currencyIn(approval.intent);
  const lines = approval.reasons.flatMap(({ agent_id, above, action, change }) => {
    const owner = agent_id === approval.agent_id ? '' : `${shortAgent(`${agent_id}`)}: `;
    return [
      ...(above === undefined ? [] : [`${owner}the amount is above ${money(`${above}`, currency)}`]),
      ...(action === undefined ? [] : [`${owner}the action always needs a person`]),
      ...(change === undefined ? [] : ['it lets more happen']),
    ];
  });
  return (
    <ul class="entries">
      {lines.map((line) => (
        <li key={line} dir="auto">
          {line}
        </li>
      ))}
    </ul>
  );
}

function Decision(props: {
  path: string;
  onDecided: (approval: Approval) => void;
  onClose: () => void;
}): JSX.Element {
  const { path, onDecided, onClose } = props;
  const task = useTask();
  const [note, setNote] = useState('');
  async function decide(decision: 'approve' | 'reject'): Promise<void> {
    const body = note.trim() === '' ? {} : { note: note.trim() };
    onDecided(await call<Approval>('POST', `${path}/${decision}`, { body }));
  }
  return (
    <>
      <LinesField
        label="Note"
        optional
        isProse
        rows={2}
        value={note}
        onValue={setNote}
        error={task.errorAt('/note')}
      />
      <FailureNote failure={task.failure} />
      <div class="actions">
        <Close onClose={onClose} />
        <button
          type="button"
          class="button danger-quiet"
          aria-busy={task.isRunning}
          onClick={() => task.run(() => decide('reject'))}
        >
          Reject
        </button>
        {may('POST /approvals/{id}/approve') && (
          <button
            type="button"
            class="button primary"
            aria-busy={task.isRunning}
            onClick={() => task.run(() => decide('approve'))}
          >
            Approve once
          </button>
        )}
      </div>
    </>
  );
}
