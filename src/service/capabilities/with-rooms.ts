/** Adds the methods of capabilities to the rooms of the core. */
import { type Management, withKnownOptions } from '../acting/management.ts';
import type { OpenCapabilities } from './open-capabilities.ts';

/** Returns the management whose methods refuse unknown options, with the rooms of the capabilities. */
export function withRooms(more: OpenCapabilities['rooms'], management: Management): Management {
  const known = withKnownOptions(management);
  const rooms = Object.entries(more).map(([room, methods]) => {
    return [room, { ...known[room as keyof Management], ...methods }];
  });
  return { ...known, ...Object.fromEntries(rooms) };
}
