/** The entry point `./log`: audits an evidence log. Anyone who has its keys can do so. */
export type { VerdictRecord } from '../records.ts';
export type { LogHead } from './checkpoint.ts';
export type { AuditedBlock, EntryAudit, EntryFinding } from './entry-audit.ts';
export { type NoteKey, readNoteKey } from './signed-note.ts';
export { type Tile, tilePath, tilesOf } from './tiles.ts';
export {
  type LogAudit,
  type LogFinding,
  type LogSource,
  type TreeFinding,
  type VerifyLogOptions,
  verifyLog,
} from './verify-log.ts';
