import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Verdict } from '../../../../../src/index.ts';
import type { RecordedOutcome, VerdictReceipt } from '../../../../../src/types.ts';
import { CodeBlock } from '../../parts/copy.tsx';
import { saveFile } from '../../parts/csv.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FailureNote, Shown } from '../../parts/states.tsx';
import { Facts } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { VerdictCard } from '../../parts/verdict.tsx';
import { call, queryOf } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { findRecord, type RecordName, type ShownVerdict } from '../../state/record.ts';
import { href } from '../../state/route.ts';
import { useTask } from '../../state/task.ts';
import { toIntent, usageRow } from '../../text/intent.ts';
import { count, money, OUTCOMES } from '../../text/words.ts';
import { AgentLink } from '../passports/entries.tsx';
import { BrokenLimits, isAboutLimits } from './broken-limits.tsx';

export function VerdictDetail(props: {
  name: RecordName;
  known: ShownVerdict | undefined;
  onClose: () => void;
}): JSX.Element {
  const { name, known, onClose } = props;
  return (
    <Dialog title="Verdict" onClose={onClose}>
      {known === undefined ? <FoundRecord name={name} /> : <Record record={known} />}
      <div class="actions">
        <button type="button" class="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function FoundRecord({ name }: { name: RecordName }): JSX.Element {
  const { decision_id } = name;
  const loading = useLoad(decision_id, async (signal) => ({ record: await findRecord(name, signal) }));
  return (
    <Shown of={loading} rows={8}>
      {({ record }) =>
        record === undefined ? (
          <p class="note">
            There is no record of <code>{decision_id}</code>: it is older than the journal keeps, or the
            address is incomplete.
          </p>
        ) : (
          <Record record={record} />
        )
      }
    </Shown>
  );
}

function Record({ record }: { record: ShownVerdict }): JSX.Element {
  const { agent_id, action, target, amount, currency } = record;
  const [today, setToday] = useState<Verdict>();
  const task = useTask();
  async function ask(): Promise<void> {
    const texts = { target: target ?? '', amount: `${amount ?? ''}`, currency: currency ?? '' };
    const intent = { ...toIntent({ agent_id, action, ...texts }), usage: record.usage };
    setToday(
      await call<Verdict>('POST', `/passports/${encodeURIComponent(agent_id)}/try`, { body: { intent } }),
    );
  }
  return (
    <>
      <VerdictCard verdict={record} currency={currency} />
      {record.reasons.some(isAboutLimits) && <BrokenLimits record={record} />}
      <Facts
        folds
        rows={[
          ['Time', <Time key="t" at={record.evaluated_at} seconds />],
          ['Agent', <AgentLink key="a" id={agent_id} />],
          ['Action', <code key="c">{action}</code>],
          ['Target', inCode(target)],
          ['Amount', money(amount, currency)],
          usageRow(record),
          ['Passport version', record.passport_version && `${record.passport_version}`],
          ['Versions of the passports above', record.ancestor_versions?.join(', ')],
          ['Environment', record.environment],
          ['Key', record.key_id && <a href={href(['keys', record.key_id])}>{record.key_id}</a>],
          [
            'Decided by',
            record.verifier && (
              <span key="v">
                <code>{record.verifier}</code> with key <code>{record.key_id}</code>, not by the service
              </span>
            ),
          ],
          ['Dry run', record.dry_run ? 'yes' : 'no'],
          ['Proved with the key', inCode(record.proof_kid)],
          ['Outcome', record.outcome && <Outcome key="o" of={record.outcome} />],
          ['Subject', record.subject_erased ? 'erased' : inCode(record.subject)],
          ['Approval named', inCode(record.approval_id)],
          ['Hold', record.hold_seconds && `${record.hold_seconds} s`],
          [action === 'oauth:token' ? 'Access token for' : 'Permit for', inCode(record.permit_audience)],
          ['Request id', inCode(record.request_id)],
          ['Trace id', inCode(record.trace_id)],
          ['Decision id', <code key="d">{record.decision_id}</code>],
        ]}
      />
      <div class="stack start">
        <button type="button" class="button" aria-busy={task.isRunning} onClick={() => task.run(ask)}>
          Ask again with today’s passport
        </button>
        <FailureNote failure={task.failure} />
        <div class="stack" role="status">
          {today !== undefined && (
            <VerdictCard
              verdict={today}
              currency={currency}
              note="By today’s passport. Nothing was recorded."
            />
          )}
        </div>
      </div>
      <Receipt name={record} />
      <CodeBlock label="The record as JSON" code={JSON.stringify(record, null, 2)} />
    </>
  );
}

function inCode(text: string | null | undefined): JSX.Element | string | null | undefined {
  return text && <code>{text}</code>;
}

function Outcome({ of }: { of: RecordedOutcome }): JSX.Element {
  const { outcome, code, reported_at, key_id } = of;
  return (
    <>
      {OUTCOMES[outcome]}
      {code && <code> {code}</code>}, reported <Time at={reported_at} seconds />
      {key_id && (
        <>
          {' '}
          by the key <a href={href(['keys', key_id])}>{key_id}</a>
        </>
      )}
    </>
  );
}

/**
 * Gets the receipt of a verdict from the evidence log. Before the person saves the receipt, the page says how many
 * verdicts the receipt discloses.
 */
function Receipt({ name }: { name: RecordName }): JSX.Element {
  const { decision_id, evaluated_at } = name;
  const [receipt, setReceipt] = useState<VerdictReceipt>();
  const task = useTask();
  async function get(): Promise<void> {
    const path = `/verifications/${encodeURIComponent(decision_id)}/receipt${queryOf({ evaluated_at })}`;
    setReceipt(await call<VerdictReceipt>('GET', path));
  }
  return (
    <div class="stack start">
      <button type="button" class="button" aria-busy={task.isRunning} onClick={() => task.run(get)}>
        Receipt
      </button>
      <FailureNote failure={task.failure} />
      <div class="stack" role="status">
        {receipt !== undefined && (
          <>
            <p class={receipt.discloses > 1 ? 'note wait' : 'note'}>{disclosed(receipt)}</p>
            <button
              type="button"
              class="button"
              onClick={() => saveFile(`${decision_id}.json`, new Blob([JSON.stringify(receipt)]))}
            >
              Download the receipt
            </button>
          </>
        )}
      </div>
    </div>
  );
}

function disclosed({ discloses }: VerdictReceipt): string {
  return discloses === 1
    ? 'The receipt discloses only this verdict.'
    : `The receipt discloses ${count(discloses)} verdicts. Give it only to people who may see all of them.`;
}
