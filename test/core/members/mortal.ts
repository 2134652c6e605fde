import type { StorageAdapter } from '../../../src/index.ts';

/** A way into a store that ends, as a process does that is killed: a write has happened or not, and no answer says so. */
export interface Mortal {
  readonly storage: StorageAdapter;
  /** Dies at this many writes from now on; the last one is made before it dies, or not. */
  dieAt(writes: number, isMade: boolean): void;
  readonly isDead: () => boolean;
}

/** Wraps a way into a store, which stays open. */
export function mortal(storage: StorageAdapter): Mortal {
  let left = Number.POSITIVE_INFINITY;
  let isMade = false;
  let dead = false;
  const gone = (): Promise<never> => Promise.reject(new Error('The process is dead.'));
  const wrapped = new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === 'close') return async () => undefined;
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (dead) return gone();
        if (name !== 'write') return member.apply(target, given);
        left -= 1;
        if (left > 0) return member.apply(target, given);
        dead = true;
        return isMade ? Promise.resolve(member.apply(target, given)).then(gone, gone) : gone();
      };
    },
  });
  return {
    storage: wrapped,
    dieAt(writes, made) {
      left = writes;
      isMade = made;
    },
    isDead: () => dead,
  };
}
