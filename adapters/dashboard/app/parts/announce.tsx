import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';

const said: Signal<string> = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says what was done, to eyes and screen readers. */
export function announce(text: string): void {
  said.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.value = '';
  }, 6_000);
}

/** The element that shows and announces it. */
export function Announcements(): JSX.Element {
  return (
    <div class="toast" role="status">
      {said.value !== '' && <p>{said.value}</p>}
    </div>
  );
}
