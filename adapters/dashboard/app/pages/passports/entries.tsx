import type { JSX } from 'preact';
import type { Condition } from '../../../../../src/types.ts';
import { Breaks } from '../../parts/breaks.tsx';
import { href } from '../../state/route.ts';
import { useSecondScript } from '../../state/second-script.ts';

/** Shows the entries of a list field, one a line. */
export function Entries({ of }: { of: readonly string[] | undefined }): JSX.Element {
  if (of === undefined || of.length === 0) return <span class="quiet">none</span>;
  return (
    <ul class="entries">
      {of.map((entry) => (
        <li key={entry}>
          <code>{entry}</code>
        </li>
      ))}
    </ul>
  );
}

/** Shows conditions as sentences, one a line, each with the agent whose passport has it if that is given. */
export function Conditions(props: {
  of: readonly (Condition & { readonly agent_id?: string })[] | undefined;
}): JSX.Element {
  const script = useSecondScript();
  const spell = script !== 'failed' && script ? script.conditionSentence : JSON.stringify;
  return <Entries of={props.of?.map((one) => spell(one))} />;
}

/** Links an agent to its passport. */
export function AgentLink({ id }: { id: string }): JSX.Element {
  return (
    <a dir="auto" class="break" href={href(['passports', id])}>
      <Breaks of={id} />
    </a>
  );
}
