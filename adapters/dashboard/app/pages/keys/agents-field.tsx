import type { JSX } from 'preact';
import { LinesField } from '../../parts/field.tsx';

/** Renders the field of the agents that a key is restricted to, one a line. */
export function AgentsField(props: {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
  rows?: number;
}): JSX.Element {
  return (
    <LinesField
      label="Only these agents"
      optional
      hint="One agent_id a line. Empty: every agent of the account."
      {...props}
    />
  );
}
