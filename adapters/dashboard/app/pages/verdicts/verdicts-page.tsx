import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AGENTS, AgentOptions, useNewestPassports } from '../../parts/agent-options.tsx';
import { Csv } from '../../parts/csv.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { LaterPart } from '../../parts/later.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { queryOf } from '../../state/api.ts';
import { useLive } from '../../state/live.ts';
import { useKeyNames } from '../../state/load.ts';
import { usePages } from '../../state/pages.ts';
import { type RecordName, recordQuery, type ShownVerdict } from '../../state/record.ts';
import { go, href, route, setQuery, useQueryText } from '../../state/route.ts';
import { useDetailScript } from '../../state/second-script.ts';
import { fromInput } from '../../text/time.ts';
import { OUTCOMES } from '../../text/words.ts';
import { VerdictTable } from './verdict-table.tsx';

const MAX_LIVE = 500;

export function VerdictsPage(): JSX.Element {
  const query = Object.fromEntries(route.value.query);
  const { agent_id, verdict, reason, environment, dry_run, subject, outcome, record, at } = query;
  // The record is known if it was opened from the list.
  const [openedVerdict, setOpened] = useState<ShownVerdict>();
  const [isLive, setLive] = useState(false);
  const knownVerdict = openedVerdict?.decision_id === record ? openedVerdict : undefined;
  const filter = queryOf({
    agent_id,
    verdict,
    reason,
    environment,
    dry_run,
    subject,
    outcome,
    from: instantOf(query['from']),
    to: instantOf(query['to']) ?? (outcome === 'none' ? reportedUntil() : undefined),
  });
  return (
    <Page
      title="Verdicts"
      lead="The intents of your agents and the verdicts on them."
      actions={<Csv path={`/verifications${filter}`} name="verdicts" />}
    >
      <VerdictFilters given={query} />
      <Records
        key={filter}
        filter={filter}
        given={query}
        isLive={isLive}
        onLive={setLive}
        onOpen={(verdict) => {
          setOpened(verdict);
          go(['verdicts'], { ...query, ...recordQuery(verdict) });
        }}
      />
      {record !== undefined && (
        <Detail
          key={record}
          name={{ decision_id: record, evaluated_at: at ?? '' }}
          known={knownVerdict}
          onClose={() => (knownVerdict === undefined ? setQuery({ record: '', at: '' }) : history.back())}
        />
      )}
    </Page>
  );
}

function Detail(props: {
  name: RecordName;
  known: ShownVerdict | undefined;
  onClose: () => void;
}): JSX.Element {
  return <LaterPart of={useDetailScript()}>{({ VerdictDetail }) => <VerdictDetail {...props} />}</LaterPart>;
}

function Records(props: {
  filter: string;
  given: Readonly<Record<string, string>>;
  isLive: boolean;
  onLive: (isLive: boolean) => void;
  onOpen: (record: ShownVerdict) => void;
}): JSX.Element {
  const { filter, given, isLive, onLive, onOpen } = props;
  const { agent_id, verdict, reason, environment, dry_run, subject, outcome } = given;
  const pages = usePages<ShownVerdict>(`/verifications${filter}`);
  const keyNames = useKeyNames();
  const [newer, setNewer] = useState<readonly ShownVerdict[]>([]);
  const types = verdict ? (verdict === 'ALLOW' ? 'verdict.allowed' : 'verdict.denied') : 'verdict.*';
  const state = useLive(isLive, queryOf({ types, agent_id, environment }), ({ type, data }) => {
    if (!type.startsWith('verdict.')) return;
    const record = data as ShownVerdict;
    // No outcome is known yet.
    if (outcome) return;
    if (reason && !record.reasons.some(({ code }) => code === reason)) return;
    if (dry_run && `${record.dry_run}` !== dry_run) return;
    if (subject && record.subject !== subject) return;
    setNewer((verdictsBefore) => [record, ...verdictsBefore].slice(0, MAX_LIVE));
  });
  return (
    <>
      <div class="head-row">
        <button type="button" class="button small" aria-pressed={isLive} onClick={() => onLive(!isLive)}>
          Live
        </button>
        <span class="quiet" role="status">
          {state === 'on' && 'New verdicts appear as they are recorded.'}
          {state === 'connecting' && 'Connecting…'}
          {state === 'refused' && 'The service refused the stream. Sign in again, or reload the page.'}
        </span>
      </div>
      <Shown of={pages.loaded}>
        {(records) => {
          const rows = distinct([...newer, ...records]);
          return rows.length > 0 ? (
            <VerdictTable rows={rows} keyNames={keyNames} onOpen={onOpen} />
          ) : (
            <Empty title={filter === '' ? 'No verdict was recorded yet.' : 'No verdict matches.'}>
              {filter === '' && (
                <a class="button" href={href(['overview'])}>
                  Ask for the first verdict
                </a>
              )}
            </Empty>
          );
        }}
      </Shown>
      <More pages={pages} />
    </>
  );
}

/** Returns the records, newest first. A record that is in the stream and in the list appears once. */
function distinct(records: readonly ShownVerdict[]): readonly ShownVerdict[] {
  const verdicts = new Map(records.map((record) => [record.decision_id, record]));
  return [...verdicts.values()].sort((a, b) => (a.evaluated_at < b.evaluated_at ? 1 : -1));
}

const REPORT_MS = 300_000;

/**
 * Returns an instant five to ten minutes ago. If an earlier verdict has no reported outcome, the page counts
 * it as unreported. The outcome of a later verdict may still be reported.
 */
function reportedUntil(): string {
  return new Date((Math.floor(Date.now() / REPORT_MS) - 1) * REPORT_MS).toISOString();
}

function instantOf(text: string | undefined): string | undefined {
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : fromInput(text);
}

function VerdictFilters({ given }: { given: Readonly<Record<string, string>> }): JSX.Element {
  const [agent, setAgent] = useQueryText('agent_id');
  const [reason, setReason] = useQueryText('reason');
  const [subject, setSubject] = useQueryText('subject');
  const bind = (name: string) => ({
    value: given[name] ?? '',
    onValue: (value: string) => setQuery({ [name]: value }),
  });
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <TextField label="Agent" placeholder="agent_id" list={AGENTS} value={agent} onValue={setAgent} />
      <AgentOptions passports={useNewestPassports()} />
      <SelectField
        label="Verdict"
        options={[
          ['', 'Any'],
          ['ALLOW', 'ALLOW'],
          ['DENY', 'DENY'],
        ]}
        {...bind('verdict')}
      />
      <TextField label="Reason" placeholder="amount_over_limit" value={reason} onValue={setReason} />
      <TextField label="Subject" placeholder="exactly" value={subject} onValue={setSubject} />
      <SelectField
        label="Outcome"
        options={[
          ['', 'Any'],
          ['failed', 'Allowed, but failed'],
          ['none', 'Allowed, never reported'],
          ['succeeded', OUTCOMES.succeeded],
          ['not_attempted', OUTCOMES.not_attempted],
          ['unknown', OUTCOMES.unknown],
        ]}
        {...bind('outcome')}
      />
      <SelectField
        label="Environment"
        options={[
          ['', 'Any'],
          ['live', 'Live'],
          ['test', 'Test'],
        ]}
        {...bind('environment')}
      />
      <SelectField
        label="Dry runs"
        options={[
          ['', 'Any'],
          ['false', 'None'],
          ['true', 'Only'],
        ]}
        {...bind('dry_run')}
      />
      <TextField label="From" type="datetime-local" {...bind('from')} />
      <TextField label="To" type="datetime-local" {...bind('to')} />
    </form>
  );
}
