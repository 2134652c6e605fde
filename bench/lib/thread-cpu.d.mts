/**
 * Returns the CPU microseconds of the main thread since the start; `undefined` if neither Node nor the system reports
 * it.
 */
export declare function mainThreadCpu(): number | undefined;
