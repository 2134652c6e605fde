import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';

const announcement: Signal<string> = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  announcement.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    announcement.value = '';
  }, 6_000);
}

export function Announcements(): JSX.Element {
  return (
    <div class="toast" role="status">
      {announcement.value !== '' && <p>{announcement.value}</p>}
    </div>
  );
}
