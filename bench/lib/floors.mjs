/** Checks written by hand, with the least code that can give the same verdicts. They are the baselines. */
const ALLOW = Object.freeze({ verdict: 'ALLOW', reasons: Object.freeze([]) });
const DENY = Object.freeze({ verdict: 'DENY', reasons: Object.freeze([]) });

/**
 * Creates a check with a `Map` for the passport, a `Set` for its actions and its targets, one comparison and one shared
 * answer.
 */
export function createFloor(passports) {
  const entries = new Map(passports.map((passport) => [passport.agent_id, entryOf(passport)]));
  return (intent) => (isAllowed(entries.get(intent.agent_id), intent) ? ALLOW : DENY);
}

/** Creates the same check with a new answer object for each call. */
export function createFreshFloor(passports) {
  const entries = new Map(passports.map((passport) => [passport.agent_id, entryOf(passport)]));
  return (intent) =>
    isAllowed(entries.get(intent.agent_id), intent)
      ? { verdict: 'ALLOW', reasons: [] }
      : { verdict: 'DENY', reasons: [] };
}

/** Creates the same check behind an async function, like a check that may have to read a database. */
export function createAsyncFloor(passports) {
  const floor = createFloor(passports);
  return async (intent) => floor(intent);
}

/** Returns a check for one passport, without any look-up. */
export function compile(passport) {
  const { isActive, actions, targets, limit } = entryOf(passport);
  return (intent) => {
    if (!isActive || !actions.has(intent.action)) return DENY;
    if (targets !== undefined && !targets.has(intent.target)) return DENY;
    return intent.parameters.amount <= limit ? ALLOW : DENY;
  };
}

function entryOf({ status, allowed_actions, monetary_limit_per_txn, allowed_targets }) {
  return {
    isActive: status === 'active',
    actions: new Set(allowed_actions),
    targets: allowed_targets && new Set(allowed_targets),
    limit: monetary_limit_per_txn,
  };
}

function isAllowed(entry, intent) {
  if (entry === undefined || !entry.isActive || !entry.actions.has(intent.action)) return false;
  if (entry.targets !== undefined && !entry.targets.has(intent.target)) return false;
  return intent.parameters.amount <= entry.limit;
}
