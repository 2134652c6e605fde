/** Creates a view of a framework's object. No method of the view can run a tool without a verdict. */
import { IdentityError } from '../errors.ts';

/** The options of a view. */
export interface GuardedViewOptions {
  /** The values that replace members of the object. */
  readonly own: Readonly<Record<string, unknown>>;
  /**
   * The names of methods that could run a tool. If `own` does not replace them, reading them throws, both in the object
   * and in its members.
   */
  readonly leading: readonly string[];
}

/**
 * Returns a view of the object. The object itself is not changed, and methods of the view run on it. Code that runs a
 * method of the class on the view itself cannot call a tool without the guard.
 *
 * @throws {IdentityError} `invalid_configuration` from the view, if code reads a private member (`_…`) or a member that
 * leads to a tool.
 *
 * @example
 * import { guardedView } from 'agent-identity-service/guard';
 *
 * const client = { callTool: (name) => `${name} ran`, send: (name) => `${name} ran`, version: () => '1' };
 * const own = { callTool: (name) => `${name} is judged first` };
 * const view = guardedView(client, { own, leading: ['callTool', 'send'] });
 * console.log(view.version(), view.callTool('pay')); // 1 pay is judged first
 * try {
 *   view.send('pay');
 * } catch (error) {
 *   console.log(error.code); // invalid_configuration
 * }
 */
export function guardedView<Target extends object>(target: Target, options: GuardedViewOptions): Target {
  const { own, leading } = options;
  const isHidden = (name: string | symbol): boolean =>
    typeof name === 'string' && !Object.hasOwn(own, name) && (name.startsWith('_') || leading.includes(name));

  function read(name: string | symbol): unknown {
    if (typeof name === 'string' && Object.hasOwn(own, name) && name in target) return own[name];
    if (isHidden(name) && name in target) throw hidden(name);
    const value: unknown = Reflect.get(target, name);
    if (typeof value === 'function') return value.bind(target);
    const isLeading =
      typeof value === 'object' && value !== null && leading.some((member) => member in value);
    return isLeading ? guardedView(value, { own: {}, leading }) : value;
  }

  // A Proxy must show members of its target that are not configurable. This target has no members.
  return new Proxy(Object.create(Object.getPrototypeOf(target)), {
    get: (_, name) => read(name),
    has: (_, name) => name in target,
    ownKeys: () => Reflect.ownKeys(target).filter((name) => !isHidden(name)),
    getOwnPropertyDescriptor(_, name) {
      const descriptor = isHidden(name) ? undefined : Reflect.getOwnPropertyDescriptor(target, name);
      const enumerable = descriptor?.enumerable === true;
      return descriptor && { value: read(name), writable: true, enumerable, configurable: true };
    },
    set(_, name, value) {
      if (isHidden(name)) throw hidden(name);
      return Reflect.set(target, name, value);
    },
    defineProperty(_, name, descriptor) {
      if (isHidden(name)) throw hidden(name);
      return Reflect.defineProperty(target, name, descriptor);
    },
    deleteProperty: (_, name) => Reflect.deleteProperty(target, name),
  });
}

function hidden(name: string | symbol): IdentityError {
  const message = `A guarded object has no ${String(name)}: it would lead around the guard.`;
  return new IdentityError('invalid_configuration', message);
}
