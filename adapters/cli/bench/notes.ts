interface Noted {
  readonly doubts: readonly string[];
  readonly records_dropped: number | null;
  readonly errors: Readonly<Record<string, number>>;
  readonly limit_per_minute: number | null;
}

export function notesOn(report: Noted): readonly string[] {
  const { doubts, records_dropped: droppedCount, errors } = report;
  const notes = doubts.map((doubt) => `Unreliable: ${doubt}`);
  if (droppedCount !== null && droppedCount > 0) {
    notes.push(
      `Not recorded: ${whole(droppedCount)} verdicts, which came faster than the storage can take their records.`,
    );
  }
  return errors['rate_limited'] === undefined
    ? notes
    : [...notes, limitNote(errors['rate_limited'], report.limit_per_minute)];
}

export function whole(number: number): string {
  return number.toLocaleString('en');
}

/**
 * Returns the note on the rate limit per minute. The recommended `--rate` uses nine tenths of the limit. The
 * rest is for the requests before the measurement, such as the warm-up.
 */
function limitNote(count: number, limit: number | null): string {
  const plan = limit === null ? 'its plan' : `its plan, ${whole(limit)} verifications a minute`;
  const slower =
    limit === null ? '' : `, or ask more slowly with --rate ${Math.max(1, Math.floor(limit / 67))}`;
  return (
    `rate_limited: ${whole(count)} questions were over the limit of the account (${plan}). Start a service to be ` +
    'measured with "serve --rate-limits off", or give the account a plan without a limit: agent-identity account ' +
    `plan <email> enterprise${slower}.`
  );
}
