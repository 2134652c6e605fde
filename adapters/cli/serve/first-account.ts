import { IdentityError, type IdentityService } from '../../../src/index.ts';
import type { AccountOverview } from '../../../src/types.ts';
import { type GivenPassword, generatePassword } from '../input/password.ts';

/** The account that this start found or made. */
export type Start =
  /** The account was made now. */
  | ({ readonly first: true; readonly email: string; readonly password: GivenPassword } & Pick<
      AccountOverview,
      'plan' | 'limits'
    >)
  /** `email` of the only account; absent when there are several. */
  | { readonly first: false; readonly email?: string };

/** Makes the account of the first start, if no account exists. */
export async function ensureAccount(
  service: IdentityService,
  email: string,
  given: GivenPassword | undefined,
): Promise<Start> {
  const before = await existing(service);
  if (before !== undefined) return before;
  const password = given ?? generatePassword();
  try {
    const account = await service.accounts.create({ email, password: password.text });
    const { plan, limits } = await service.account({ account_id: account.id });
    return { first: true, email: account.email ?? email, password, plan, limits };
  } catch (error) {
    // Another process was faster: this is not the first start.
    const isTaken = error instanceof IdentityError && error.code === 'already_exists';
    if (!isTaken) throw error;
    return (await existing(service)) ?? { first: false };
  }
}

async function existing(service: IdentityService): Promise<Start | undefined> {
  const { data } = await service.accounts.list({ limit: 2 });
  const [only, other] = data;
  if (only === undefined) return undefined;
  return { first: false, ...(other === undefined && only.email !== null && { email: only.email }) };
}
