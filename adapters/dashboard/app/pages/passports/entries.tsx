import type { JSX } from 'preact';
import { Breaks } from '../../parts/breaks.tsx';
import { href } from '../../state/route.ts';

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

/** Links an agent to its passport. */
export function AgentLink({ id }: { id: string }): JSX.Element {
  return (
    <a dir="auto" class="break" href={href(['passports', id])}>
      <Breaks of={id} />
    </a>
  );
}
