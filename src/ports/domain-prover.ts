/** Reads DNS and web pages. From them the service finds out whether an account controls a domain. */
export interface DomainProver {
  /**
   * Returns the TXT records of a name, each as one text; empty when there are none. Rejects when DNS does not answer.
   */
  txt(name: string): Promise<readonly string[]>;
  /** Returns the body of a successful answer to GET, else rejects. The reason is not shown to accounts. */
  text(url: string): Promise<string>;
}
