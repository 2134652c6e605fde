import { Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';

export function CopyButton(props: { text: string; label?: string; onCopied?: () => void }): JSX.Element {
  const { text, label = 'Copy', onCopied } = props;
  const [outcome, setOutcome] = useState<string>();
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
      onCopied?.();
    } catch {
      setOutcome('Select and copy it by hand');
    }
    setTimeout(() => setOutcome(undefined), 3_000);
  }
  return (
    <button type="button" class="button small" onClick={copy}>
      <span aria-live="polite">{outcome ?? label}</span>
    </button>
  );
}

export function CodeBlock({ code, label }: { code: string; label: string }): JSX.Element {
  return (
    <figure class="code">
      <figcaption>
        {label}
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>
            <Lines of={code} />
          </code>
        </pre>
      </section>
    </figure>
  );
}

export function Lines({ of }: { of: string }): JSX.Element {
  return (
    <>
      {of.split('\n').map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </>
  );
}
