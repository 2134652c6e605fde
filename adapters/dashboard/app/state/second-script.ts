import { useEffect, useState } from 'preact/hooks';

/** The contents of the second script. */
type Contents = typeof import('../pages/passports/what-changes.tsx');

/** Loads the second script; `failed` when it does not come, `undefined` until it has. */
export function useSecondScript(): Contents | 'failed' | undefined {
  const [contents, setContents] = useState<Contents | 'failed'>();
  useEffect(() => {
    import('../pages/passports/what-changes.tsx').then(
      (loaded) => setContents(loaded),
      () => setContents('failed'),
    );
  }, []);
  return contents;
}
