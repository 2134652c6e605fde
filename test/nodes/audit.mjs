/** Holds what the store has against the books, and looks for records that are only half there. */
import { openStorage } from './engines.mjs';

const PAGE = 1_000;

/** What is lost of `ledger`, and what is half there of anything; both are lists of sentences. */
export async function audit(url, account_id, { entries }) {
  const storage = await openStorage(url);
  try {
    const passports = await readAll(storage, 'passports', { account_id });
    const keys = await readAll(storage, 'keys', { account_id });
    const found = { passports: byId(passports), keys: byId(keys) };
    const known = entries.filter((entry) => entry.known !== undefined);
    const lost = entries.flatMap((entry) => lossOf(entry, found[entry.collection].get(entry.id)));
    const halves = [
      ...keys.flatMap((key) => halfOfKey(key, found.keys)),
      ...(await countsOff(storage, account_id, passports, keys)),
    ];
    for (const passport of passports) halves.push(...(await halfOfPassport(storage, passport)));
    return { known: known.length, found: known.length - lost.length, inDoubt: doubts(entries), lost, halves };
  } finally {
    await storage.close();
  }
}

function doubts(entries) {
  return entries.filter(({ doubt }) => doubt !== undefined).length;
}

function lossOf({ id, known, doubt }, record) {
  if (record === undefined) return known === undefined ? [] : [`${id} is not there`];
  if ([known, doubt].some((expected) => expected !== undefined && fits(record, expected))) return [];
  return [`${id} is ${JSON.stringify(record)}, and not ${JSON.stringify(known)} or ${JSON.stringify(doubt)}`];
}

function fits(record, expected) {
  return Object.entries(expected).every(([field, value]) => record[field] === value);
}

/** A passport has its claim and every one of its versions, the last of which says what it says itself. */
async function halfOfPassport(storage, passport) {
  const { id, account_id, version, status, domain } = passport;
  const rows = await readAll(storage, 'passport_versions', { agent_id: id, account_id });
  const versions = rows.map((row) => row.passport).sort((a, b) => a.version - b.version);
  const claim = await storage.get('domains', domain);
  return [
    ...(versions.length === version && versions.every((one, index) => one.version === index + 1)
      ? []
      : [`${id} is at version ${version} and has ${versions.length} versions`]),
    ...(canonical(versions.at(-1)) === canonical(passport)
      ? []
      : [`${id} is not what its last version says`]),
    ...((status === 'revoked') === (passport.revoked_at !== null) ? [] : [`${id} is half revoked`]),
    ...(claim?.account_id === account_id ? [] : [`${id} has no claim of ${domain}`]),
  ];
}

function halfOfKey({ id, status, revoked_at, rotated_to, expires_at }, keys) {
  return [
    ...((status === 'revoked') === (revoked_at !== null) ? [] : [`${id} is half revoked`]),
    ...(rotated_to === null || keys.has(rotated_to) ? [] : [`${id} was rotated to a key that is not there`]),
    ...(status !== 'rotating' || (rotated_to !== null && expires_at !== null)
      ? []
      : [`${id} is half rotated`]),
  ];
}

/** The counters of the plan, by the names that the service gives them. */
async function countsOff(storage, account_id, passports, keys) {
  const at = new Date().toISOString();
  const active = keys.filter(({ status }) => status === 'active').length;
  const counted = {
    passports: [await storage.count(`usage:passports:${account_id}`, at), passports.length],
    keys: [await storage.count(`usage:keys:${account_id}`, at), active],
  };
  return Object.entries(counted).flatMap(([what, [count, there]]) =>
    count === there ? [] : [`the plan counts ${count} ${what}, there are ${there}`],
  );
}

async function readAll(storage, collection, where) {
  const records = [];
  let after;
  do {
    const page = await storage.list(collection, { where, limit: PAGE, ...(after && { after }) });
    records.push(...page);
    after = page.length === PAGE ? page.at(-1) : undefined;
  } while (after !== undefined);
  return records;
}

function byId(records) {
  return new Map(records.map((record) => [record.id, record]));
}

function canonical(record) {
  return JSON.stringify(Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}
