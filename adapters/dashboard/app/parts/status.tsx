import type { JSX } from 'preact';

/** Shows the status of a passport or a key, as a word with a mark. */
export function Status({ value }: { value: string }): JSX.Element {
  return <span class={`status ${value}`}>{value}</span>;
}

/** Shows ALLOW or DENY. */
export function VerdictMark({ value }: { value: 'ALLOW' | 'DENY' }): JSX.Element {
  return <span class={`verdict ${value.toLowerCase()}`}>{value}</span>;
}
