import type { ComponentChildren, JSX } from 'preact';
import type { Task } from '../state/task.ts';
import { Dialog } from './dialog.tsx';
import { Form, FormFailure } from './form.tsx';

/** Shows a dialog with fields, a button for its action, and one to cancel. */
export function DialogForm(props: {
  title: string;
  action: string;
  isDangerous?: boolean;
  isReady?: boolean;
  task: Task;
  work: () => Promise<unknown>;
  onDone?: () => void;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { title, action, isDangerous = false, isReady = true, task, work, onDone, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        task={task}
        onSubmit={() => {
          if (isReady) task.run(work).then((isDone) => isDone && onDone?.());
        }}
      >
        {children}
        <FormFailure task={task} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={`button ${isDangerous ? 'danger' : 'primary'}`}
            disabled={!isReady}
            aria-busy={task.isRunning}
          >
            {action}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
