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
   * Encrypts all stored secrets of the capabilities with the present secret, and returns the number of the changed
   * secrets.
   */
  reseal(): Promise<number>;
  readonly names: ReadonlySet<string>;
  figures(): Partial<ServiceFigures>;
  ready(): Promise<unknown>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Opens each capability once. Each may use what those before it offer. */
export function openCapabilities(
  core: Core,
  whole: readonly WholeCapability[],
  offers: Partial<Offers>,
): OpenCapabilities {
  const openedCapabilities: readonly OpenCapability[] = whole.map((capability) => {
    const openedCapability = capability.open(core);
    Object.assign(offers, openedCapability.offers);
    return openedCapability;
  });
  return {
    tables: whole.flatMap(({ operations }) => operations),
    code: openedCapabilities.map(({ rooms }) => rooms),
    locals: openedCapabilities.flatMap(({ locals = [] }) => locals),
    accountRooms: (actor) =>
      Object.assign({}, ...openedCapabilities.map((capability) => capability.accountRooms?.(actor))),
    hostRooms: Object.assign({}, ...openedCapabilities.map(({ hostRooms }) => hostRooms)),
    limits: Object.assign({}, ...openedCapabilities.map(({ limits }) => limits)),
    async reseal() {
      let count = 0;
      for (const capability of openedCapabilities) count += (await capability.reseal?.()) ?? 0;
      return count;
    },
    names: new Set(whole.map(({ name }) => name)),
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

/**
 * Checks the list. Returns it in the order in which the capabilities are opened: `identity` comes first.
 *
 * @throws {IdentityError} `invalid_configuration` for anything but a list of different capabilities, and if one that
 * another needs is missing.
 */
export function checkedCapabilities(capabilities: readonly Capability[] = []): readonly WholeCapability[] {
  if (!Array.isArray(capabilities)) throw unfit('options.capabilities must be a list, such as [replay()].');
  const names = new Set<string>();
  for (const capability of capabilities) {
    const { name, open } = Object(capability) as Partial<WholeCapability>;
    if (typeof name !== 'string' || typeof open !== 'function')
      throw unfit('options.capabilities has an entry that is no capability: call it, such as replay().');
    if (names.has(name)) throw unfit(`options.capabilities has ${name} twice.`);
    names.add(name);
  }
  const whole = capabilities as readonly WholeCapability[];
  for (const { name, needs = [] } of whole) {
    const missing = needs.find((need) => !names.has(need));
    if (missing !== undefined) throw unfit(`${name} needs ${missing}(): list it in options.capabilities.`);
  }
  const isFirst = ({ settings }: WholeCapability) => settings !== undefined;
  return [...whole.filter(isFirst), ...whole.filter((capability) => !isFirst(capability))];
}
