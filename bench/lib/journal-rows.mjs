/**
 * The cost of a verdict that is stored as a row. A record in a block must be cheaper by a certain factor.
 *
 * Measured in one run of `servers/journal.mjs` on commit ae64a3d, the last before the journal of blocks (Node 20.20.2,
 * 2 shared cores, 2026-11-24). The rate was 2,000 verdicts per second, because that version dropped any further
 * verdicts. Figures are CPU nanoseconds, and filing and retention include the server. `strict` is verdicts per second
 * of 256 callers. `bytes` is the size of a row on disk with its indexes. A row over 100 accounts costs as much as over
 * one.
 */
export const ROWS = {
  sqlite: {
    filingOfBoth: 108e3,
    someAccounts: 108e3,
    manyAccounts: 274e3,
    bytes: 646,
    strict: 5_994,
    csv: 14e3,
    retention: 19.4e3,
  },
  postgres: {
    filingOfBoth: 158e3,
    someAccounts: 158e3,
    manyAccounts: 293e3,
    bytes: 721,
    strict: 5_124,
    csv: 12.3e3,
    retention: 8.1e3,
  },
  redis: {
    filingOfBoth: 65.1e3,
    someAccounts: 65.1e3,
    manyAccounts: 94.6e3,
    bytes: 1_391,
    csv: 12e3,
    retention: 17.5e3,
  },
};

const GOALS = {
  someAccounts: { label: 'a row / a record, CPU over 100 accounts', atLeast: 30 },
  manyAccounts: { label: 'a row / a record, CPU over 1,000 accounts', atLeast: 15 },
  bytes: { label: 'bytes of a table row per verdict / of a compressed record', atLeast: 25 },
  strict: { label: 'strict verdicts a second of 256 callers, of blocks / of rows', atLeast: 20 },
  csv: { label: 'CSV of rows / of blocks, CPU', atLeast: 6 },
  retention: { label: 'retention of rows / of blocks, CPU', atLeast: 200 },
};
const FILING = 'a row / a record, CPU with merges and the server';

/** The required factors of each storage, by figure. */
export const ROW_TIMES = {
  sqlite: { filingOfBoth: { label: FILING, atLeast: 50 }, ...GOALS },
  postgres: { filingOfBoth: { label: FILING, atLeast: 40 }, ...GOALS },
  redis: { filingOfBoth: { label: FILING, atLeast: 30 }, ...withoutStrict(GOALS) },
};

/** Removes the goal for the strict journal, which Redis did not have. */
function withoutStrict({ strict: _, ...goals }) {
  return goals;
}
