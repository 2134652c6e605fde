import type { PermitObstacle } from '../../records/permit.ts';
import type { Reason } from '../../records.ts';
import type { Taken, ToTake } from './takings.ts';

/** Takes the amounts of a verdict, and signs its permit. */
export type TakePermitted = (take: (toTake: ToTake) => Promise<Taken>, toTake: ToTake) => Promise<Taken>;

/** Takes in a service that signs no permits: an `ALLOW` that needs one becomes a `DENY`. */
export const refusePermit: TakePermitted = async (take, toTake) => {
  const { record } = toTake;
  const reasons = [permitUnavailable('service')];
  const refusedRecord = record.verdict === 'DENY' ? record : { ...record, verdict: 'DENY' as const, reasons };
  return { ...(await take({ ...toTake, record: refusedRecord })), permit: null };
};

/** Returns the reason why an intent gets no permit. */
export function permitUnavailable(problem: PermitObstacle): Reason {
  return { code: 'permit_unavailable', message: 'The permit cannot be issued.', problem };
}
