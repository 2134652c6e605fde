/** An issuer on this machine, and the service as it knows it. */
export interface Issuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** Goes through the pages of the issuer as a browser does; returns the query with which it comes back. */
  browse(url: string): Promise<string>;
  close(): void;
}

export const PERSON: string;
export function startIssuer(redirectUri?: string): Promise<Issuer>;
