import { createIdentityService, type IdentityServiceOptions } from '../../../src/index.ts';
import { memoryStorage } from '../../storage/memory/index.ts';

/** The settings of a first start. An `undefined` setting is generated if necessary. */
export interface FirstStart {
  readonly email: string;
  readonly password: string | undefined;
  readonly secret?: string | undefined;
  readonly previousSecret?: string | undefined;
  readonly options?: Pick<IdentityServiceOptions, 'capabilities' | 'allowLocalhost'>;
}

/**
 * Tries a first start in memory, so that a start that cannot work leaves nothing behind. Rejects with the error that
 * the service would throw.
 */
export async function preflight({
  email,
  password,
  secret,
  previousSecret,
  options,
}: FirstStart): Promise<void> {
  const service = createIdentityService({
    storage: memoryStorage(),
    ...options,
    ...(secret !== undefined && {
      session: { secret, ...(previousSecret !== undefined && { previousSecret }) },
    }),
    passwordHasher: { hash: async () => '', verify: async () => false, verifyNothing: async () => false },
  });
  await service.accounts.create({ email, password: password ?? 'twelve or more' });
}
