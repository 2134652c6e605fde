/** Holds the answers of a row against what was promised. Pure: moments in, problems out. */

/** A request may take this long: finding out who asks and the answer have the 1,000 ms of a storage call each. */
export const REQUEST_MS = 2_000;
/** An acknowledged change decides every verdict that starts later than this. */
const STALE_MS = 1_000;
/** A record may be answered from memory for so long. */
const CACHE_MS = 800;
/** From the return of the store to the first good answer. */
export const RECOVERY_MS = 2_000;
/** By how much resident memory may grow. */
export const MEMORY_BYTES = 64 * 1_024 * 1_024;

const VERDICTS = ['good', 'revoked', 'unknown', 'over'];
const WRITES = ['create', 'revoke', 'spend'];
/** The questions under a key. One may find another under way: a retry the first one, or the first one its retry. */
export const SPENDS = ['spend', 'spend again'];
const UNANSWERED = ['unavailable', 'running'];
/** What is allowed whenever it is answered. */
const ALLOWED = ['good', ...SPENDS];

/**
 * @typedef {object} Row
 * @property {any[]} notes the answers, as `load.mjs` makes them
 * @property {ReadonlyMap<string, number>[]} revoked when which revocation was acknowledged, by world
 * @property {number} onset when the fault was there
 * @property {number} undone when it began to be taken back
 * @property {number} lagMs the longest time for which this process itself did not listen
 * @property {{ verdicts?: 'none', writes?: 'none' | 'some refused', ready?: 'none' }} away what may not be answered
 */

/** The problem of a store that was back, and a target that was not in time. */
export const RECOVERY_PROBLEM = 'recovery too late';
const LATE_PROBLEM = `later than ${REQUEST_MS} ms`;

/**
 * Whether a problem may come from a busy machine, which holds up the node and its store: such a row is run again. A
 * wrong answer and a lost write count the first time. @param {string} problem
 */
export function isOfTime(problem) {
  return problem === RECOVERY_PROBLEM || problem.includes(` x ${LATE_PROBLEM} (`);
}

/** What was wrong, one line each, worst first. @param {Row} row @returns {string[]} */
export function evaluate(row) {
  const { notes, away } = row;
  const during = notes.filter(({ startedAt, endedAt }) => startedAt >= row.onset && endedAt <= row.undone);
  const answered = (questions, from = row.onset) =>
    during.filter(
      ({ question, outcome, startedAt }) =>
        questions.includes(question) && !UNANSWERED.includes(outcome) && startedAt >= from,
    );
  return [
    none('nothing was answered', during),
    count(
      'wrong ALLOW',
      notes.filter((note) => isWrongAllow(note, row)),
    ),
    count('known agent not found', notes.filter(isAbsence)),
    count('neither 200 nor 503', notes.filter(isStrange)),
    count('wrong verdict', notes.filter(isWrongDeny)),
    count(
      LATE_PROBLEM,
      notes.filter((note) => tookMs(note) > REQUEST_MS + row.lagMs),
    ),
    away.verdicts && count(`verdict after ${CACHE_MS} ms`, answered(VERDICTS, row.onset + CACHE_MS)),
    away.verdicts && count('acknowledged without its store', answered(['revoke again'])),
    away.writes === 'none' && count('acknowledged write', answered(WRITES)),
    away.writes === 'some refused' && none('no write was refused', during.filter(isRefusedWrite)),
    away.ready && count('ready without its store', answered(['ready'])),
    count(
      'not live',
      notes.filter(({ question, outcome }) => question === 'live' && outcome !== 'done'),
    ),
  ].filter(Boolean);
}

/** The slowest answer in milliseconds. */
export function slowestMs(notes) {
  return notes.reduce((most, note) => Math.max(most, tookMs(note)), 0);
}

function tookMs({ startedAt, endedAt }) {
  return endedAt - startedAt;
}

function isWrongAllow({ question, agent_id, outcome, startedAt }, { revoked }) {
  if (outcome !== 'ALLOW') return false;
  if (question === 'unknown' || question === 'over') return true;
  return revoked.some((map) => startedAt > (map.get(agent_id) ?? Infinity) + STALE_MS);
}

function isAbsence({ question, codes }) {
  return question !== 'unknown' && codes.includes('agent_not_found');
}

/** A DENY for another reason than the one that holds. */
function isWrongDeny({ question, outcome, codes }) {
  if (outcome !== 'DENY' || codes.includes('agent_not_found')) return false;
  if (ALLOWED.includes(question)) return true;
  return question === 'over' && !codes.includes('amount_over_limit');
}

function isStrange({ question, outcome }) {
  return outcome === 'strange' || (outcome === 'running' && !SPENDS.includes(question));
}

function isRefusedWrite({ question, outcome }) {
  return WRITES.includes(question) && outcome === 'unavailable';
}

function count(what, found) {
  if (found.length === 0) return undefined;
  const [{ target, question, outcome, detail, ...first }] = found;
  const example = `${target}, ${question}: ${detail ?? outcome} after ${Math.round(tookMs(first))} ms`;
  return `${found.length} x ${what} (${example})`;
}

function none(what, found) {
  return found.length === 0 ? what : undefined;
}
