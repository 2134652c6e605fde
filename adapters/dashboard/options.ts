/** The options of the dashboard. */
export interface DashboardOptions {
  /** Where the API stands, seen from the address of the dashboard; default `api`. */
  readonly api?: string;
}
