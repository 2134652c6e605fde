/** The time within which a second signal is ignored. With npm, Ctrl-C arrives twice: from the terminal and from npm. */
const ECHO_MS = 500;

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Settles at the first SIGTERM, SIGINT or SIGHUP, which a closed terminal sends. The next signal ends the process at
 * once.
 */
export function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: (typeof SIGNALS)[number]): void => {
      if (first === undefined) {
        first = performance.now();
        resolve(signal);
      } else if (performance.now() - first > ECHO_MS) {
        process.exit(128 + NUMBERS[signal]);
      }
    };
    for (const signal of SIGNALS) process.on(signal, () => onSignal(signal));
  });
}
