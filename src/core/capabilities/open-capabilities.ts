/** Opens the capabilities of one service. */
import { unfit } from '../../errors.ts';
import type { OperationTable } from '../../operations/operation.ts';
import type { ServiceFigures } from '../../ports/metrics.ts';
import type { Capability, Core, CountCall, Offers, OpenCapability, WholeCapability } from './capability.ts';
import type { LocalMethod } from './open-rooms.ts';

export interface OpenCapabilities {
  readonly tables: readonly OperationTable[];
  /** The code of the methods of each capability, by group, such as `webhooks`. */
  readonly code: readonly OpenCapability['rooms'][];
  /** The methods that take an actor, but are not in the tables of operations. */
  readonly locals: readonly LocalMethod[];
  /** Returns the methods of one actor that are not in the tables of operations. */
  readonly accountRooms: NonNullable<OpenCapability['accountRooms']>;
  /** The methods without a row in a table of operations, by group. */
  readonly hostRooms: Readonly<Record<string, object>>;
  /** The functions that limit operations, by the name of the operation. */
  readonly limits: Readonly<Record<string, CountCall>>;
  /**
   * Encrypts all stored secrets of the capabilities again, and returns their number. Absent if the capabilities store
   * no secrets.
   */
  readonly reseal: (() => Promise<number>) | undefined;
  readonly names: ReadonlySet<string>;
  readonly offers: Readonly<Partial<Offers>>;
  figures(): Partial<ServiceFigures>;
  ready(): Promise<unknown>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Opens each capability once, in the order of the list. */
export function openCapabilities(core: Core, capabilities: readonly Capability[]): OpenCapabilities {
  const whole = checkedList(capabilities);
  const openedCapabilities: readonly OpenCapability[] = whole.map((capability) => capability.open(core));
  return {
    tables: whole.flatMap(({ operations }) => operations),
    code: openedCapabilities.map(({ rooms }) => rooms),
    locals: openedCapabilities.flatMap(({ locals = [] }) => locals),
    accountRooms: (actor) =>
      Object.assign({}, ...openedCapabilities.map((capability) => capability.accountRooms?.(actor))),
    hostRooms: Object.assign({}, ...openedCapabilities.map(({ hostRooms }) => hostRooms)),
    limits: Object.assign({}, ...openedCapabilities.map(({ limits }) => limits)),
    reseal: openedCapabilities.some(({ reseal }) => reseal !== undefined)
      ? () => resealAll(openedCapabilities)
      : undefined,
    names: new Set(whole.map(({ name }) => name)),
    offers: Object.assign({}, ...openedCapabilities.map(({ offers }) => offers)),
    figures: () => Object.assign({}, ...openedCapabilities.map(({ figures }) => figures?.())),
    ready: () => Promise.all(openedCapabilities.map(({ ready }) => ready?.())),
    async stop() {
      for (const { stop } of openedCapabilities) await stop?.();
    },
    async close() {
      for (const { close } of openedCapabilities) await close?.();
    },
  };
}

async function resealAll(capabilities: readonly OpenCapability[]): Promise<number> {
  let count = 0;
  for (const { reseal } of capabilities) count += (await reseal?.()) ?? 0;
  return count;
}

function checkedList(capabilities: readonly Capability[]): readonly WholeCapability[] {
  if (!Array.isArray(capabilities)) throw unfit('options.capabilities must be a list, such as [replay()].');
  const names = new Set<string>();
  for (const capability of capabilities) {
    const { name, open } = Object(capability) as Partial<WholeCapability>;
    if (typeof name !== 'string' || typeof open !== 'function')
      throw unfit('options.capabilities has an entry that is no capability: call it, such as replay().');
    if (names.has(name)) throw unfit(`options.capabilities has ${name} twice.`);
    names.add(name);
  }
  return capabilities as readonly WholeCapability[];
}
