/** Reads DNS and web pages, so that the service can verify that an account controls a domain. */
export interface DomainProver {
  /**
   * Returns the TXT records of a name, each as one text. Returns an empty list if there are none. Rejects if DNS does
   * not answer.
   */
  txt(name: string): Promise<readonly string[]>;
  /** Returns the body of a successful GET request. Rejects otherwise; the reason is not shown to accounts. */
  text(url: string): Promise<string>;
}
