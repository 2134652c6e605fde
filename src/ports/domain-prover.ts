/**
 * Reads DNS and web pages, so that the service can verify that an account controls a domain.
 *
 * @throws {Error} If there is no answer. The check then reports `no answer`, without the error.
 */
export interface DomainProver {
  /** Returns the TXT records of a name, each as one text. Returns an empty list if there are none. */
  txt(name: string): Promise<readonly string[]>;
  /** Returns the body of a successful GET request. */
  text(url: string): Promise<string>;
}
