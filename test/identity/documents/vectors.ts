import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DidDocument } from '../../../src/identity/index.ts';
import type { AgentKey } from '../../../src/types.ts';
import { root } from '../../architecture/sources.ts';

/** A document that is published for other implementers. */
export interface Vector {
  readonly name: string;
  readonly description: string;
  readonly did: string;
  /** Where it is served. */
  readonly url: string;
  readonly input: {
    readonly domain: string;
    /** `null`: the document of the domain itself. */
    readonly agent_name: string | null;
    readonly state: 'active' | 'suspended' | 'expired' | 'not_yet_valid' | 'revoked';
    readonly keys: readonly AgentKey[];
    readonly public_url: string;
  };
  readonly status: number;
  /** `null` for a revoked agent. */
  readonly document: DidDocument | null;
}

const folder = join(root, 'src/identity/vectors');

/** All of them. */
export const vectors: readonly Vector[] = readdirSync(folder).map((file) => ({
  name: file.replace('.json', ''),
  ...JSON.parse(readFileSync(join(folder, file), 'utf8')),
}));
