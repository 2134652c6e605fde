/** A second signal within this time is an echo: Ctrl-C under npm comes from the terminal and again from npm. */
const ECHO_MS = 500;

const NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;

/** Settles at the first SIGTERM or SIGINT; the next one ends the process at once. */
export function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (first === undefined) {
        first = performance.now();
        resolve(signal);
      } else if (performance.now() - first > ECHO_MS) {
        process.exit(128 + (signal === 'SIGINT' ? NUMBERS.SIGINT : NUMBERS.SIGTERM));
      }
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
