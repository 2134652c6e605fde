import type { JSX } from 'preact';

/** Where a passport or a key stands, as a word with a mark. */
export function Status({ value }: { value: string }): JSX.Element {
  return <span class={`status ${value}`}>{value}</span>;
}

/** ALLOW or DENY. */
export function VerdictMark({ value }: { value: 'ALLOW' | 'DENY' }): JSX.Element {
  return <span class={`verdict ${value.toLowerCase()}`}>{value}</span>;
}
