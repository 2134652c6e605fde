import type { Actor } from '../core/shared/callers.ts';
import type { Published } from './published.ts';
import type { PassportSigning } from './sign-passport.ts';
import type { Signing } from './signing.ts';

/** The properties that `identity` adds to the service: in process, or for one account. */
export interface IdentityRooms<Options> {
  /** The passports, with the method `sign`. */
  readonly passports: PassportSigning<Options>;
}

/** The properties that `identity` adds to a service in process. */
export interface HostIdentityRooms extends IdentityRooms<Actor> {
  /** Manages the signing keys. */
  readonly signing: Signing;
  /** The documents of agents and domains that third parties may read. */
  readonly published: Published;
}
