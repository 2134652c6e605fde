import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { endedFor } from '../state/session.ts';
import type { Task } from '../state/task.ts';
import { Advice } from './states.tsx';

/** Renders fields with their buttons. If the service refuses the input, the first invalid field gets the focus. */
export function Form(props: {
  task: Task;
  class?: string;
  onSubmit: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { task, onSubmit, children } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (task.failure !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [task.failure]);
  return (
    <form
      ref={form}
      class={props.class ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

export function FormFailure({ task }: { task: Task }): JSX.Element {
  const { failure } = task;
  return (
    <div role="alert">
      {failure !== undefined && endedFor.value === undefined && (
        <p class="note bad">
          {task.isAtFields() ? 'Correct what is marked, then try again.' : <Advice failure={failure} />}
        </p>
      )}
    </div>
  );
}
