/** What the pages tell. */
export interface DashboardOptions {
  readonly version: string;
  /** Where the service is reached, such as `http://localhost:3000`. */
  readonly origin: string;
  /** The kind of storage, such as `sqlite`. */
  readonly storage: string;
  /** The OpenAPI document of the API that is served beside them. */
  readonly document: Readonly<Record<string, unknown>>;
}
