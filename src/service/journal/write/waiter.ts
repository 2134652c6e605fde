/** The callbacks for the outcome of a record. Each record of a strict journal has one, other records have none. */
export interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
