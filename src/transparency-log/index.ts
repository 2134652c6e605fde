/** The entry point `./log`: the audit of a log by anyone who has its keys. */
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
