/** The options of the dashboard. */
export interface DashboardOptions {
  /** The address of the API, relative to that of the dashboard; default `api`. */
  readonly api?: string;
}
