/**
 * Every example of `compare` against Cedar: the passport that allows does so as a policy, the one that denies does not.
 * In a process of its own, as `cedar-chains.mjs`. Arguments: how many pairs, and the seed.
 */
import { compare } from 'agent-identity-service/verdict/compare';
import { createRandom } from '../../../bench/lib/random.mjs';
import { cedarAllows, keepPolicy } from '../cedar-policy.mjs';

const [pairs = 1_000, seed = 1] = process.argv.slice(2).map(Number);
const random = createRandom(seed);
const ACTIONS = ['a', 'a.b', 'a.b.c', 'a.bc', 'a:b', 'b', 'b.a'];
const ENTRIES = [...ACTIONS, '*', 'a.*', 'a.b.*', 'a:*', 'b.*'];
const TARGETS = [
  'did:web:x.a.com',
  'did:web:a.com',
  'did:web:y.x.a.com',
  'did:web:*.a.com',
  'did:web:*.x.a.com',
];
const HOURS = Array.from({ length: 6 }, (_, hour) => new Date(hour * 3_600_000).toISOString());

const oneOf = (list) => list[Math.floor(random() * list.length)];
const some = (list, share) => list.filter(() => random() < share);
const maybe = (share, make) => (random() < share ? make() : undefined);

const FIELDS = {
  allowed_actions: () => some(ENTRIES, 0.4),
  denied_actions: () => maybe(0.4, () => some(ENTRIES.slice(0, 7), 0.2)),
  monetary_actions: () => maybe(0.4, () => some(ENTRIES, 0.2)),
  allowed_targets: () => maybe(0.4, () => some(TARGETS, 0.5)),
  monetary_limit_per_txn: () => oneOf([0, 1, 2, 10, 100]),
  currency: () => maybe(0.5, () => oneOf(['EUR', 'JPY', 'KWD', 'CLF', 'XAU'])),
  not_before: () => maybe(0.3, () => oneOf(HOURS.slice(0, 3))),
  expires_at: () => maybe(0.3, () => oneOf(HOURS.slice(3))),
};

function withFields(passport, names) {
  const drawn = Object.fromEntries(names.map((name) => [name, FIELDS[name]()]));
  const fields = Object.entries({ ...passport, ...drawn });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

const counts = { pairs: 0, wider: 0, narrower: 0, unseen: 0, differ: 0 };
const NAMES = Object.keys(FIELDS);
for (; counts.pairs < pairs; counts.pairs += 1) {
  const before = withFields({ agent_id: 'did:web:example.com:agents:buyer', status: 'active' }, NAMES);
  const after = withFields(before, some(NAMES, 0.25));
  keepPolicy('before', [before]);
  keepPolicy('after', [after]);
  const found = compare(before, after);
  for (const side of ['wider', 'narrower']) {
    for (const { intent, at } of found[side]) {
      if (intent === null) {
        counts.unseen += 1;
        continue;
      }
      counts[side] += 1;
      const [earlier, later] = ['before', 'after'].map((name) => cedarAllows(name, intent, Date.parse(at)));
      if (earlier === (side === 'narrower') && later === (side === 'wider')) continue;
      counts.differ += 1;
      if (counts.differ <= 3)
        console.error(JSON.stringify({ before, after, side, intent, at, earlier, later }));
    }
  }
}
console.log(JSON.stringify(counts));
