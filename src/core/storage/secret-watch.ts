/** Checks that all nodes of a storage sign with the same secret, or with the two secrets of a rotation. */
import { fingerprintOf, isFingerprintOf, newSalt } from '../../credential/secret-fingerprint.ts';
import { unfit } from '../../errors.ts';
import { type RandomSource, SECRET_TEXT } from '../../ports/storage.ts';
import type { CoreOptions, IdentitySettings } from '../options.ts';
import { changeText, type SharedTextParts } from './shared-texts.ts';

interface GivenSecrets {
  readonly session?: CoreOptions['session'] | undefined;
  readonly identity: IdentitySettings;
}

/** Compares the signing secret with the storage. */
export interface SecretWatch {
  /** Rejects with `invalid_configuration` if the storage has another secret. */
  assertShared(): Promise<void>;
}

/**
 * Returns the secrets of sessions, the current secret first. The list is empty without sessions. Without
 * `identity.secret`, the session secret also encrypts the signing keys. The list then includes
 * `identity.previousSecrets`.
 */
export function secretsOf({ session, identity }: GivenSecrets): readonly string[] {
  if (session === undefined) return [];
  const listBefore = identity.secret === undefined ? (identity.previousSecrets ?? []) : [];
  const list = [session.secret, session.previousSecret, ...listBefore];
  return [...new Set(list.filter((text) => text !== undefined))];
}

/**
 * Creates the check. It reads the storage until the check has succeeded once. Without sessions it does nothing.
 *
 * @throws {IdentityError} `invalid_configuration` if the previous secret equals the secret.
 */
export function createSecretWatch(
  parts: SharedTextParts,
  random: RandomSource,
  givenSecrets: GivenSecrets,
): SecretWatch {
  const { session } = givenSecrets;
  const secrets = secretsOf(givenSecrets);
  let agreeing: Promise<void> | undefined;
  if (session?.previousSecret !== undefined && session.previousSecret === session.secret) {
    throw unfit('The previous signing secret is the signing secret itself. Leave it out.');
  }

  async function agree(isLost: boolean): Promise<void> {
    await changeText(parts, SECRET_TEXT, (knownText) =>
      textFor(knownText, { secrets, isLost }, (secret) => fingerprintOf(secret, newSalt(random))),
    );
  }

  return {
    async assertShared() {
      if (session === undefined) return;
      agreeing ??= agree(session.secretLost === true);
      try {
        await agreeing;
      } catch (error) {
        agreeing = undefined;
        throw error;
      }
    },
  };
}

/**
 * Returns the text to store: the fingerprint of the secret and, during a rotation, of the previous secret. A node with
 * both secrets begins the rotation. A node with only the new secret ends it.
 */
function textFor(
  knownText: string | undefined,
  {
    secrets: [secret = '', ...previous],
    isLost,
  }: { readonly secrets: readonly string[]; readonly isLost: boolean },
  toFingerprint: (secret: string) => string,
): string {
  if (knownText !== undefined) {
    const [current = '', ...listBefore] = knownText.split(' ');
    if (isFingerprintOf(secret, current)) return previous.length === 0 ? current : knownText;
    if (listBefore.some((fingerprint) => isFingerprintOf(secret, fingerprint)) && !isLost) return knownText;
    if (previous.some((fingerprint) => isFingerprintOf(fingerprint, current))) {
      return `${toFingerprint(secret)} ${current}`;
    }
    if (!isLost) throw unfit(OTHER_SECRET);
  }
  return toFingerprint(secret);
}

const OTHER_SECRET =
  'The signing secret differs from the secret of this storage. Give all nodes the same secret. To change it, also give the previous secret (AGENT_IDENTITY_PREVIOUS_SECRET or AGENT_IDENTITY_PREVIOUS_SECRETS, session.previousSecret). If that is lost, start once with --secret-lost (session.secretLost).';
