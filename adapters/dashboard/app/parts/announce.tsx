import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';

const said: Signal<string> = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  said.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.value = '';
  }, 6_000);
}

export function Announcements(): JSX.Element {
  return (
    <div class="toast" role="status">
      {said.value !== '' && <p>{said.value}</p>}
    </div>
  );
}
