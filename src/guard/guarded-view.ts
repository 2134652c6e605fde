/** An object of a framework as its callers may see it: by its own methods nothing runs without a verdict. */
import { IdentityError } from '../errors.ts';

/** How an object is seen. */
export interface GuardedViewOptions {
  /** What stands in the place of members of the object. */
  readonly own: Readonly<Record<string, unknown>>;
  /** The names of methods that lead to a tool. Without a member of `own` they cannot be read, here and in what it holds. */
  readonly leading: readonly string[];
}

/**
 * A view of the object, which stays as it is. Its methods run on the object itself. Members that lead to a tool, and
 * private ones (`_…`), throw `invalid_configuration` when they are read: so a method of the class that is called on the
 * view finds nothing that it could send by.
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

  // No member of what a Proxy stands for has to be shown: it stands for an object without any.
  return new Proxy(Object.create(Object.getPrototypeOf(target)), {
    get: (_, name) => read(name),
    has: (_, name) => name in target,
    ownKeys: () => Reflect.ownKeys(target).filter((name) => !isHidden(name)),
    getOwnPropertyDescriptor(_, name) {
      const found = isHidden(name) ? undefined : Reflect.getOwnPropertyDescriptor(target, name);
      const enumerable = found?.enumerable === true;
      return found && { value: read(name), writable: true, enumerable, configurable: true };
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
