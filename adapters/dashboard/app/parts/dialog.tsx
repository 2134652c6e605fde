import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** Shows a modal dialog. Without `onClose`, only its own buttons close it, not Escape or a click outside. */
export function Dialog(props: {
  title: string;
  onClose?: (() => void) | undefined;
  children: ComponentChildren;
}): JSX.Element {
  const { title, onClose, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  // Read before a field of the dialog takes the focus.
  const opener = useRef(document.activeElement).current;
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      // Closed first: no element outside can take the focus while the dialog is open.
      dialog?.close();
      focusAgain(opener);
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // Chromium closes a dialog on the second Escape even if its `cancel` was prevented.
        if (event.key === 'Escape' && onClose === undefined) event.preventDefault();
      }}
      onCancel={(event) => {
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose?.();
      }}
      onClose={(event) => {
        if (event.target === ref.current && ref.current?.isConnected) ref.current.showModal();
      }}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

function focusAgain(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  (isThere ? opener : document.querySelector<HTMLElement>('h1'))?.focus();
}
