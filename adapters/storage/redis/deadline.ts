/** How a call stands to its deadline. */
export interface Patience {
  /** Whether it has been given up. */
  readonly isOver: boolean;
}

/**
 * What the call gives; rejects when that takes longer than `limitMs`, after `onLate`. Answers that are there
 * already, because this process was busy, still count.
 */
export async function within<Result>(
  limitMs: number,
  call: (patience: Patience) => Promise<Result>,
  onLate: () => void,
): Promise<Result> {
  const patience = { isOver: false };
  let isSettled = false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = (): void => {
      if (isSettled) return;
      patience.isOver = true;
      onLate();
      reject(new Error(`Redis did not answer within ${limitMs} ms.`));
    };
    timer = setTimeout(() => setImmediate(giveUp), limitMs);
  });
  try {
    return await Promise.race([call(patience), late]);
  } finally {
    isSettled = true;
    clearTimeout(timer);
  }
}
