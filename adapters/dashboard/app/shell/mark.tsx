import type { JSX } from 'preact';

/** Renders the logo of the service. */
export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <title>Agent Identity</title>
      <rect width="32" height="32" rx="8" />
      <path d="M9 16.5l5 5 9-11" />
    </svg>
  );
}
