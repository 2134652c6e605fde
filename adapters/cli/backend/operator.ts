import { type Account, createIdentityService, type IdentityService } from '../../../src/index.ts';
import { openStorage, readStorageUrl } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { verbLog } from './verb-log.ts';

/** The options of a verb for whoever holds the storage. */
export interface OperatorOptions {
  readonly storage: string;
  readonly json?: boolean;
}

/** What `use` gives back of the service over a storage that stays, in this process; it is closed afterwards. */
export async function withStoredService<Result>(
  { storage }: OperatorOptions,
  use: (service: IdentityService) => Promise<Result>,
  { mustExist = true }: { readonly mustExist?: boolean } = {},
): Promise<Result> {
  const place = readStorageUrl(storage);
  if (place.kind === 'memory') throw usageError('memory: would be gone with this command. Use sqlite:<file>');
  const log = verbLog();
  const service = createIdentityService({ storage: await openStorage(place, { mustExist }), ...log });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

/** The account of this e-mail, in whatever case it is spelled. */
export async function findAccount(service: IdentityService, email: string): Promise<Account | undefined> {
  const spelled = email.normalize('NFC').toLowerCase().normalize('NFC');
  let cursor: string | null = null;
  do {
    const page = await service.accounts.list({ limit: 100, ...(cursor !== null && { cursor }) });
    const found = page.data.find((account) => account.email === spelled);
    if (found !== undefined) return found;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return undefined;
}
