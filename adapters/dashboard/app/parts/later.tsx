import type { JSX } from 'preact';
import type { Later } from '../state/second-script.ts';
import { Empty } from './states.tsx';

export function LaterPart<Contents extends object>(props: {
  of: Later<Contents>;
  children: (contents: Contents) => JSX.Element;
}): JSX.Element {
  const { of, children } = props;
  if (of === undefined) return <div class="loading" role="status" aria-label="Loading" />;
  if (of === 'failed') return <Empty title="The page could not be loaded. Reload it and try again." />;
  return children(of);
}
