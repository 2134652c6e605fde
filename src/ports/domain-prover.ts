/** How the service looks whether an account has a domain: it asks DNS and a web server, and judges the answers itself. */
export interface DomainProver {
  /** The TXT records of a name, each as one text; empty when there are none. Rejects when DNS does not answer. */
  txt(name: string): Promise<readonly string[]>;
  /** The body of a successful answer to GET. Rejects without one; accounts are not shown the reason. */
  text(url: string): Promise<string>;
}
