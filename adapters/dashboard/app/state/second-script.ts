import { useEffect, useState } from 'preact/hooks';

/** The contents of a script that is loaded on demand: `undefined` while it loads, `failed` if it cannot be loaded. */
export type Later<Contents> = Contents | 'failed' | undefined;

export function useSecondScript(): Later<typeof import('../pages/passports/what-changes.tsx')> {
  return useLater(() => import('../pages/passports/what-changes.tsx'));
}

export function usePeopleScript(): Later<typeof import('../pages/members/people.tsx')> {
  return useLater(() => import('../pages/members/people.tsx'));
}

export function useDetailScript(): Later<typeof import('../pages/verdicts/verdict-detail.tsx')> {
  return useLater(() => import('../pages/verdicts/verdict-detail.tsx'));
}

export function useKeyScript(): Later<typeof import('../pages/keys/key-page.tsx')> {
  return useLater(() => import('../pages/keys/key-page.tsx'));
}

function useLater<Contents extends object>(load: () => Promise<Contents>): Later<Contents> {
  const [contents, setContents] = useState<Later<Contents>>();
  useEffect(() => {
    load().then(
      (loaded) => setContents(loaded),
      () => setContents('failed'),
    );
  }, []);
  return contents;
}
