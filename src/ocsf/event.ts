/** The parts of OCSF 1.8.0 that every line has. */

/** An event or an entry of the audit trail, of any type, because a newer service may send more types. */
export interface EventLike {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type OcsfEvent = Readonly<Record<string, unknown>>;

export interface OcsfHead {
  readonly class_uid: number;
  readonly category_uid: number;
  readonly activity_id: number;
  readonly activity_name?: string;
  readonly severity_id: number;
  readonly time: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const VERSION = '1.8.0';
export const PRODUCT = 'Agent Identity Service';

export function ocsfHead({ time, metadata, ...head }: OcsfHead): OcsfEvent {
  const { class_uid, activity_id } = head;
  return {
    ...head,
    type_uid: class_uid * 100 + activity_id,
    time: Date.parse(time),
    metadata: { version: VERSION, product: { name: PRODUCT }, ...metadata },
  };
}

export function present(members: Readonly<Record<string, unknown>>): OcsfEvent {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}
