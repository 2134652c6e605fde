import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Check } from './check.tsx';
import { CopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';

/**
 * Shows the secret of a key or webhook, or the link of a member, once. Only its button closes it, after the person has
 * copied it or confirmed that it is saved.
 */
export function Reveal(props: {
  secret: string;
  name: string;
  what?: 'key' | 'secret' | 'link';
  onClose: () => void;
}): JSX.Element {
  const { secret, name, what = 'key', onClose } = props;
  const [isCopied, setCopied] = useState(false);
  const [isSaved, setSaved] = useState(false);
  return (
    <Dialog title={`Save this ${what} now`}>
      <p>
        This is the only time that the {what === 'link' ? 'link' : 'secret'} of{' '}
        <strong dir="auto" class="break">
          {name}
        </strong>{' '}
        is shown: a lost {what} can only be replaced.{what === 'key' && ' The service keeps no copy.'}
      </p>
      <div class="secret">
        <code data-testid="secret">{secret}</code>
        <CopyButton text={secret} label={`Copy ${what}`} onCopied={() => setCopied(true)} />
      </div>
      <Check isOn={isSaved} onValue={setSaved}>
        I have saved it
      </Check>
      <div class="actions">
        <button type="button" class="button primary" disabled={!isCopied && !isSaved} onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
