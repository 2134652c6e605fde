/** The login that a host lends to the API. Types only, no code. */
import type { Role } from './value.ts';

/** The person that a host has signed in, and the account for which this person acts now. */
export interface HostLogin {
  /** The host's own id of the organisation, 1 to 128 visible ASCII characters; either this or `account_id`. */
  readonly account?: string | undefined;
  /** The id of an account of the service that exists. */
  readonly account_id?: string | undefined;
  /** The host's own id of the person, 1 to 128 visible ASCII characters. */
  readonly member: string;
  /** The role of the person in this request. */
  readonly role: Role;
  /** The e-mail address of the person. It is shown, and never identifies anyone. */
  readonly email?: string | undefined;
  /** The name of the person, 1 to 100 characters. */
  readonly name?: string | undefined;
  /** The name of the organisation, 1 to 100 characters. */
  readonly account_name?: string | undefined;
}
