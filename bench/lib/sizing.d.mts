/** The exports of `sizing.mjs`, as far as its tests use them. */

/** A load. Its values are per second unless the name says something else. */
export interface Load {
  readonly agents: number;
  readonly active: number;
  readonly verdicts: number;
  readonly spends: number;
  readonly changes: number;
  readonly recordsPerBlock: number;
  readonly retentionDays: number;
  readonly storage: string;
}

export interface Figures {
  readonly node: {
    readonly inProcessNs: number;
    readonly httpNs: number;
    readonly passportBytes: number;
    readonly readsPerAgent: number;
  };
  readonly stores: Readonly<Record<string, unknown>>;
}

export declare function figuresOf(part: { readonly tables: readonly object[] }): Figures;
export interface Plan {
  readonly nodes: number;
  readonly connections: number;
  readonly store_cores: number;
  readonly store_bytes: number;
  readonly retention_days: number;
  readonly fails_first: string;
  readonly demands: readonly { readonly line: string; readonly per_second: number }[];
}

export declare function planOf(load: Load, figures: Figures): Plan;
