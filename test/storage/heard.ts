import type { ChangeNotice, StorageAdapter } from '../../src/ports/index.ts';

const DEADLINE_MS = 30_000;

/** All that a subscriber was told so far. */
export interface Heard {
  readonly notices: readonly (ChangeNotice | undefined)[];
  /** Resolves when a notice fits that came after the first `from`. */
  one(fits: (notice: ChangeNotice | undefined) => boolean, from?: number): Promise<void>;
  readonly unsubscribe: () => void;
}

/** A new subscriber of the storage. */
export function listenTo(storage: StorageAdapter): Heard {
  const notices: (ChangeNotice | undefined)[] = [];
  let look = (): void => {};
  const unsubscribe = storage.subscribe?.((notice) => {
    notices.push(notice);
    look();
  });
  if (unsubscribe === undefined) throw new Error('The storage has no subscribe.');
  return {
    notices,
    unsubscribe,
    one: (fits, from = 0) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`Not heard in ${JSON.stringify(notices.slice(-5))}`)),
          DEADLINE_MS,
        );
        look = () => {
          if (!notices.slice(from).some(fits)) return;
          clearTimeout(late);
          resolve();
        };
        look();
      }),
  };
}

/** Whether it stands for any number of changes. */
export function isAnything(notice: ChangeNotice | undefined): boolean {
  return notice === undefined;
}

/** Whether it is about the record of that id. */
export function isAbout(id: string): (notice: ChangeNotice | undefined) => boolean {
  return (notice) => notice?.id === id;
}
