import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Task, useTask } from '../state/task.ts';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Form, FormFailure } from './form.tsx';

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

export function Confirm(props: {
  title: string;
  action: string;
  typed?: string;
  onClose: () => void;
  work: () => Promise<unknown>;
  children: ComponentChildren;
}): JSX.Element {
  const { title, action, typed, onClose, work, children } = props;
  const task = useTask();
  const [text, setText] = useState('');
  const isReady = typed === undefined || text === typed;
  return (
    <DialogForm {...{ title, action, isReady, task, work, onClose }} isDangerous onDone={onClose}>
      {children}
      {typed !== undefined && (
        <TextField label={`Type ${typed} to confirm`} value={text} onValue={setText} mono autoFocus />
      )}
    </DialogForm>
  );
}
