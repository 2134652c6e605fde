/** CPU of the main thread in microseconds since the start; `undefined` where neither Node nor the system says it. */
export declare function mainThreadCpu(): number | undefined;
