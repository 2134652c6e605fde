import { formatInstant } from '../base/values/instant.ts';
import { type Context, OPERATOR } from '../core/shared/context.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { insert } from '../core/storage/store.ts';
import { conflict, noSuch, unfit } from '../errors.ts';
import type { SigningAlgorithm, SigningPurpose } from '../ports/signer.ts';
import type { Change } from '../ports/storage.ts';
import { signingKeyAt, stateAt } from '../tokens/signing/key-state.ts';
import type { KeySealing } from '../tokens/signing/sealing.ts';
import type { SigningKeyRecord } from './collections.ts';
import {
  algorithmFor,
  change,
  LOG_PURPOSE,
  liveKeys,
  makeKey,
  PASSPORT_PURPOSE,
  PREPUBLISH_MS,
  retireSigning,
  type SigningKey,
  toSigningKey,
} from './key-record.ts';
import type { KeyList, StoredSigner } from './stored-signer.ts';

/** Options of a rotation. */
export interface SigningKeyRotation {
  /** The algorithm of the new key. Default: the option `identity.alg`. */
  readonly alg?: SigningAlgorithm;
  /** `true` if the new key signs at once, before verifiers have fetched it. A key of the evidence log always does. */
  readonly now?: boolean;
  /**
   * The purpose of the new key; default `passport`. With `log`, the old and the new key both sign each checkpoint for
   * 30 days.
   */
  readonly purpose?: SigningPurpose;
}

/** Changes the stored signing keys. Only operators may call these methods, which do not check the caller. */
export interface SigningKeyChanges {
  /**
   * Lists every stored key, newest first.
   *
   * @throws {IdentityError} `storage_unavailable` if the storage does not answer.
   */
  list(): Promise<readonly SigningKey[]>;
  /**
   * Adds a key that signs after 600 s. The previous key signs until then. It stays published after that until its last
   * token has expired.
   *
   * @throws {IdentityError} `conflict` while another key waits to sign, or if another process changes the keys at the
   * same moment.
   * @throws {IdentityError} `invalid_configuration` if the service has no secret, or cannot decrypt a valid key.
   */
  rotate(rotation?: SigningKeyRotation): Promise<SigningKey>;
  /**
   * Revokes a key at once, which makes its signatures invalid. If no other key can sign, the same write adds a new key.
   *
   * @throws {IdentityError} `not_found` if there is no such signing key.
   * @throws {IdentityError} `conflict` if another process changes the keys at the same moment.
   * @throws {IdentityError} `invalid_configuration` if the service has no secret, or cannot decrypt a valid key.
   */
  revoke(kid: string): Promise<SigningKey>;
  /**
   * Encrypts every valid key with the first secret. Returns how many were encrypted with another secret before.
   *
   * @throws {IdentityError} `conflict` if another process changes the keys at the same moment.
   * @throws {IdentityError} `invalid_configuration` if the service has no secret, or cannot decrypt a valid key.
   */
  reseal(): Promise<number>;
}

/** The dependencies of these methods. */
export interface KeyChangesOptions {
  readonly keys: KeyList;
  readonly sealing: KeySealing;
  readonly alg: SigningAlgorithm;
  readonly open: StoredSigner['open'];
  readonly hasSecret: boolean;
}

export function createSigningKeyChanges(
  context: Pick<Context, 'store' | 'clock' | 'log'>,
  options: KeyChangesOptions,
): SigningKeyChanges {
  const { clock } = context;
  const { keys, sealing, open, hasSecret } = options;

  async function readNow(): Promise<readonly SigningKeyRecord[]> {
    if (!hasSecret) {
      throw unfit('Changes of signing keys need their secret: pass identity({ secret }).');
    }
    keys.forget();
    return keys.read();
  }

  async function write(changes: readonly Change[]): Promise<void> {
    const { written } = await context.store.write(...changes);
    keys.forget();
    if (written) return;
    throw conflict('Another process has changed the signing keys. Try again.');
  }

  async function shown(kid: string): Promise<SigningKey> {
    const records = await keys.read();
    return toSigningKey(find(records, kid), records, clock.now());
  }

  return {
    async list() {
      const records = await keys.read();
      return records.map((record) => toSigningKey(record, records, clock.now()));
    },

    async rotate(rotation = {}) {
      const { kid, changes } = await planRotation(await readNow(), clock.now(), options, rotation);
      await write(changes);
      logSecurityEvent(context, 'signing_key.rotated', { kid, by: OPERATOR });
      return shown(kid);
    },

    async revoke(kid) {
      const records = await readNow();
      if (find(records, kid).revoked_at === null) {
        await write(await planRevocation(records, clock.now(), options, kid));
        logSecurityEvent(context, 'signing_key.revoked', { kid, by: OPERATOR });
      }
      return shown(kid);
    },

    async reseal() {
      const changes: Change[] = [];
      for (const record of liveKeys(await readNow(), clock.now())) {
        const { jwk, isCurrent } = await open(record);
        if (!isCurrent) changes.push(change(record, { sealed: await sealing.seal(record.kid, jwk) }));
      }
      if (changes.length > 0) {
        await write(changes);
        logSecurityEvent(context, 'signing_key.resealed', { by: OPERATOR });
      }
      return changes.length;
    },
  };
}

async function planRotation(
  records: readonly SigningKeyRecord[],
  atMs: number,
  { open, sealing, alg: usual }: KeyChangesOptions,
  {
    purpose = PASSPORT_PURPOSE,
    alg: wantedAlgorithm = usual,
    now = purpose === LOG_PURPOSE,
  }: SigningKeyRotation,
): Promise<{ readonly kid: string; readonly changes: readonly Change[] }> {
  const live = liveKeys(records, atMs);
  // With a secret that is not the one of the other keys, no other node could sign with the new key.
  for (const record of live) await open(record);
  const waiting = live.find(
    (record) => record.purpose === purpose && stateAt(record, records, formatInstant(atMs)) === 'published',
  );
  if (waiting !== undefined) {
    const message = `The key ${waiting.kid} signs from ${waiting.not_before} on: wait until then.`;
    throw conflict(message);
  }
  const startMs = now ? atMs : atMs + PREPUBLISH_MS;
  const plan = { purpose, alg: algorithmFor(purpose, wantedAlgorithm), sealing, at: atMs, from: startMs };
  const madeRecord = await makeKey(records, plan);
  return {
    kid: madeRecord.kid,
    changes: [insert('signing_keys', madeRecord), ...retireSigning(records, plan)],
  };
}

async function planRevocation(
  records: readonly SigningKeyRecord[],
  atMs: number,
  { open, sealing, alg }: KeyChangesOptions,
  kid: string,
): Promise<readonly Change[]> {
  const revokedRecord = find(records, kid);
  const { purpose } = revokedRecord;
  const revocation = change(revokedRecord, { revoked_at: formatInstant(atMs) });
  const otherRecords = liveKeys(records, atMs).filter((record) => record.kid !== kid);
  for (const record of otherRecords) await open(record);
  const live = otherRecords.filter((record) => record.purpose === purpose);
  if (live.some(({ retire_at }) => retire_at === null)) return [revocation];
  // Another key that signs meanwhile gives verifiers the time to fetch the new one.
  const signing = signingKeyAt(live, purpose, formatInstant(atMs));
  const startMs = signing === undefined ? atMs : atMs + PREPUBLISH_MS;
  const plan = { purpose, alg: algorithmFor(purpose, alg), sealing, at: atMs, from: startMs };
  return [revocation, insert('signing_keys', await makeKey(records, plan)), ...retireSigning(live, plan)];
}

function find(records: readonly SigningKeyRecord[], kid: string): SigningKeyRecord {
  const foundRecord = records.find((record) => record.kid === kid);
  if (foundRecord !== undefined) return foundRecord;
  throw noSuch('signing key');
}
