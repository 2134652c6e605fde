/** Passports of other formats, and which of their restrictions a passport of ours cannot express. */
import { passportOfAip } from '../../../src/aip/index.ts';
import { IdentityError } from '../../../src/index.ts';
import { type OapOptions, passportOfOap } from './oap.ts';
import { type ForeignPassport, readPassportLine } from './passport-line.ts';

/** The formats that can be imported. */
export const FORMATS = ['own', 'aip', 'oap'] as const;
/** One of them. */
export type Format = (typeof FORMATS)[number];

/** The options of reading documents. */
export interface ReadOptions {
  readonly from: Format;
  /** The restrictions that may be lost. */
  readonly acceptLoss: readonly string[];
  readonly oap?: OapOptions;
}

/**
 * Returns the passport of a document; `invalid_request` when it would allow more than the document, unless that loss is
 * accepted.
 */
export function readDocument(
  document: Readonly<Record<string, unknown>>,
  { from, acceptLoss, oap }: ReadOptions,
): ForeignPassport {
  if (from === 'own') return { ...readPassportLine(document), losses: [], unplaced: [] };
  const read: ForeignPassport =
    oap === undefined
      ? { standing: { status: 'active' }, ...passportOfAip(document) }
      : passportOfOap(document, oap);
  const wider = read.losses.filter((loss) => !acceptLoss.includes(loss));
  if (wider.length === 0) return read;
  const names = wider.join(',');
  throw new IdentityError(
    'invalid_request',
    `The passport would allow more than the document: ${names}. Accept that with --accept-loss ${names}`,
  );
}
