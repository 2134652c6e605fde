import type { JSX } from 'preact';
import { Page } from '../../parts/page.tsx';
import { route } from '../../state/route.ts';
import { TryPanel } from './try-panel.tsx';

export function TryPage(): JSX.Element {
  const query = Object.fromEntries(route.value.query);
  const start = Object.fromEntries(
    ['agent_id', 'action', 'target', 'amount', 'currency'].map((name) => [name, query[name] ?? '']),
  );
  return (
    <Page title="Try it" lead="Try an intent before an agent does, and see the verdict.">
      <TryPanel start={start} />
    </Page>
  );
}
