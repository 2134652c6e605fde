import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useTask } from '../state/task.ts';
import { DialogForm } from './dialog-form.tsx';
import { TextField } from './field.tsx';

/** Asks for confirmation of an action that cannot be undone; the person must type `typed` first, if given. */
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
