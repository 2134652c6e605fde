/** What `tcp-proxy.mjs` gives. */

export interface Proxy {
  readonly port: number;
  /** Connections reach the target, new ones and those that were only slow; one that went silent stays so. */
  pass(): Promise<void>;
  /** Everything the target says arrives this many milliseconds later. */
  delay(ms: number): void;
  /** Everything is taken and nothing answered, as by a machine that is gone without a word. */
  swallow(): void;
  /** As between two halves of a network: nothing passes, and neither side hears that the other has ended a connection. */
  sever(): void;
  /** Connections are reset and new ones refused. */
  refuse(): Promise<void>;
  /** Connections are reset; new ones are welcome. */
  cut(): void;
  /** Connections are reset, and new ones lead to another port. */
  switchTo(port: number): void;
  /** Ends it with all connections. */
  close(): Promise<void>;
}

/** A proxy on a free port of 127.0.0.1 in front of another port there. */
export declare function startProxy(targetPort: number): Promise<Proxy>;
