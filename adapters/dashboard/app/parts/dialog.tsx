import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** A modal dialog. Without `onClose` neither Escape nor anything else but its own buttons ends it. */
export function Dialog(props: {
  title: string;
  onClose?: (() => void) | undefined;
  children: ComponentChildren;
}): JSX.Element {
  const { title, onClose, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  // As it was before any field of the dialog takes the focus.
  const opener = useRef(document.activeElement).current;
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      // Nothing outside takes the focus while it is open.
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

/** What opened the dialog, or the title of the page where that is gone. */
function focusAgain(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  (isThere ? opener : document.querySelector<HTMLElement>('h1'))?.focus();
}
