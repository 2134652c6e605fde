import type { JSX } from 'preact';
import { AGENTS, AgentOptions, useNewestPassports } from '../../parts/agent-options.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { useQueryText } from '../../state/query-text.ts';
import { setQuery } from '../../state/route.ts';
import { OUTCOMES } from '../../text/words.ts';

/** Renders the filters, which are part of the address. */
export function VerdictFilters({ given }: { given: Readonly<Record<string, string>> }): JSX.Element {
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
