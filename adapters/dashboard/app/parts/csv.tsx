import type { JSX } from 'preact';
import { send } from '../state/api.ts';
import { useTask } from '../state/task.ts';
import { FailureNote } from './states.tsx';

/**
 * Renders the buttons that download the whole list at `path` as a file. Spreadsheets need a byte-order mark in the
 * file.
 */
export function Csv({ path, name }: { path: string; name: string }): JSX.Element {
  const task = useTask();
  const markedPath = `${path}${path.includes('?') ? '&' : '?'}bom=true`;
  async function download(path: string): Promise<void> {
    const response = await send('GET', path, { headers: { accept: 'text/csv' } });
    saveFile(`${name}.csv`, await response.blob());
  }
  const button = (path: string, label: string): JSX.Element => (
    <button
      type="button"
      class="button"
      aria-busy={task.isRunning}
      onClick={() => task.run(() => download(path))}
    >
      {label}
    </button>
  );
  return (
    <>
      {button(path, 'Download CSV')}
      {button(markedPath, 'CSV for Excel')}
      <FailureNote failure={task.failure} />
    </>
  );
}

export function saveFile(name: string, contents: Blob): void {
  const address = URL.createObjectURL(contents);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
