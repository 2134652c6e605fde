import type { JSX } from 'preact';
import { send } from '../state/api.ts';
import { useTask } from '../state/task.ts';
import { saveFile } from './save-file.ts';
import { FailureNote } from './states.tsx';

/** Renders the button that downloads the whole list at `path` as a file. */
export function Csv({ path, name }: { path: string; name: string }): JSX.Element {
  const task = useTask();
  async function download(): Promise<void> {
    const response = await send('GET', path, { headers: { accept: 'text/csv' } });
    saveFile(`${name}.csv`, await response.blob());
  }
  return (
    <>
      <button type="button" class="button" aria-busy={task.isRunning} onClick={() => task.run(download)}>
        Download CSV
      </button>
      <FailureNote failure={task.failure} />
    </>
  );
}
