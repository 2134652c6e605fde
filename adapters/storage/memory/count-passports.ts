import {
  type Instant,
  type PassportCountsPiece,
  type PassportRecord,
  statusAt,
} from '../../../src/ports/index.ts';
import type { Collection } from './collection.ts';

/** The number of passports to count in one piece, which takes about a millisecond. */
const PIECE = 2_000;

export async function countPassports(
  passports: Collection,
  account_id: string,
  at: Instant,
  from?: string,
): Promise<PassportCountsPiece> {
  const counts = { active: 0, suspended: 0, revoked: 0, expired: 0 };
  const after = from === undefined ? undefined : JSON.parse(from);
  const piece = await passports.list({ where: { account_id }, limit: PIECE, ...(after && { after }) });
  for (const record of piece) counts[statusAt(record as PassportRecord, at)] += 1;
  const last = piece.length === PIECE ? piece.at(-1) : undefined;
  const next = last === undefined ? null : JSON.stringify({ created_at: last.created_at, id: last.id });
  return { ...counts, next };
}
