/** Passports as policies of Cedar: what one allows without budgets, approvals and proofs. */
import cedar from '@cedar-policy/cedar-wasm/nodejs';

const text = (value) => JSON.stringify(value);

/** The decimals of the currencies that are asked about; 6 without one. */
const DECIMALS = { JPY: 0, KRW: 0, EUR: 2, USD: 2, KWD: 3, BHD: 3, CLF: 4, UYW: 4, XAU: 6, XDR: 6 };

/** Keeps the policy that allows what all of these passports allow, under a name. */
export function keepPolicy(name, passports) {
  const policy = `permit(principal, action, resource) when { ${passports.map(conditionOf).join(' && ')} };`;
  const parsed = cedar.preparsePolicySet(name, { staticPolicies: policy });
  if (parsed.type !== 'success') throw new Error(`Cedar does not take ${policy}: ${text(parsed)}`);
}

function decimalsOf(currency) {
  const decimals = currency === undefined ? 6 : DECIMALS[currency];
  if (decimals === undefined) throw new Error(`The decimals of ${currency} are not listed.`);
  return decimals;
}

function microsOf(amount) {
  const micros = Math.round(amount * 1e6);
  if (!Number.isSafeInteger(micros)) throw new Error(`${amount} is too large.`);
  return micros;
}

/** What must hold for a passport to allow, in Cedar. */
function conditionOf(passport) {
  const { status, suspended_until, not_before, expires_at, currency } = passport;
  const { allowed_actions, denied_actions = [], monetary_actions = [], allowed_targets } = passport;
  const limit = microsOf(passport.monetary_limit_per_txn);
  const isOver = suspended_until == null ? 'false' : `context.at >= ${Date.parse(suspended_until)}`;
  return [
    status === 'revoked' ? 'false' : 'true',
    status === 'suspended' ? isOver : 'true',
    not_before === undefined ? 'true' : `context.at >= ${Date.parse(not_before)}`,
    expires_at === undefined ? 'true' : `context.at < ${Date.parse(expires_at)}`,
    `!(${anyOf(denied_actions.map(actionIn))})`,
    anyOf(allowed_actions.map(actionIn)),
    allowed_targets === undefined
      ? 'true'
      : `(context has target && (${anyOf(allowed_targets.map(targetIn))}))`,
    `(!(${anyOf(monetary_actions.map(actionIn))}) || context has micros)`,
    `(!(context has micros) || context.micros <= ${limit})`,
    `(!(context has micros) || context.decimals <= ${currency === undefined ? 'context.most' : decimalsOf(currency)})`,
    ...(currency === undefined
      ? []
      : [
          `(!(context has micros) || context has currency)`,
          `(!(context has currency) || context.currency == ${text(currency)})`,
        ]),
  ].join(' && ');
}

function actionIn(entry) {
  if (entry === '*') return 'true';
  if (!entry.endsWith('*')) return `context.action == ${text(entry)}`;
  return `(context.action like ${text(entry)} && context.action != ${text(entry.slice(0, -1))})`;
}

function targetIn(entry) {
  const [, host] = entry.split('did:web:*');
  return host === undefined ? `context.target == ${text(entry)}` : `context.host like ${text(`*${host}`)}`;
}

function anyOf(conditions) {
  return conditions.length === 0 ? 'false' : `(${conditions.join(' || ')})`;
}

/** Says whether Cedar allows the intent by the policy of that name; `at` in milliseconds since the Unix epoch. */
export function cedarAllows(name, intent, at) {
  const { action, target, parameters = {} } = intent;
  const { amount, currency } = parameters;
  const { type, response } = cedar.statefulIsAuthorized({
    principal: { type: 'Agent', id: intent.agent_id },
    action: { type: 'Action', id: 'ask' },
    resource: { type: 'Service', id: 'any' },
    context: {
      at,
      action,
      ...(target !== undefined && { target, host: target.split(':')[2] }),
      ...(amount !== undefined && {
        micros: microsOf(amount),
        decimals: `${amount}`.split('.')[1]?.replace(/0+$/, '').length ?? 0,
        most: decimalsOf(currency),
      }),
      ...(currency !== undefined && { currency }),
    },
    preparsedPolicySetId: name,
    entities: [],
  });
  if (type !== 'success' || response.diagnostics.errors.length > 0) {
    throw new Error(`Cedar cannot evaluate ${text(intent)}: ${text(response?.diagnostics)}`);
  }
  return response.decision === 'allow';
}
