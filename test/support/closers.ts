/** The resources that a test file has opened and must close. */
type Close = () => unknown;

const open: Close[] = [];

/** Closed once the tests of the file have run, the latest first. Also for what is opened in `beforeAll`, where vitest takes no `afterAll`. */
export function closeAfterFile(close: Close): void {
  open.push(close);
}

/** Closes everything; the error of one does not keep the others open. */
export async function closeAll(): Promise<void> {
  const errors: unknown[] = [];
  for (let close = open.pop(); close !== undefined; close = open.pop()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'What a test file has opened could not be closed.');
}
