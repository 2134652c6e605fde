import type { JSX } from 'preact';
import type { PassportPatch } from '../../../../../src/index.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useSecondScript } from '../../state/second-script.ts';

/** Shows what a patch changes before it is saved. Saving never waits for what is shown. */
export function SaveDialog(props: {
  agentId: string;
  patch: PassportPatch;
  onSave: () => void;
  onClose: () => void;
}): JSX.Element {
  const { agentId, patch, onSave, onClose } = props;
  const contents = useSecondScript();
  return (
    <Dialog title="What this changes" onClose={onClose}>
      {contents === 'failed' ? (
        <p class="note">This cannot be shown now. The change can be saved all the same.</p>
      ) : (
        contents && <contents.WhatChanges agentId={agentId} patch={patch} />
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Back
        </button>
        <button type="button" class="button primary" onClick={onSave}>
          Save the change
        </button>
      </div>
    </Dialog>
  );
}
