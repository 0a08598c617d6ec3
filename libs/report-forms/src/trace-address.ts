/**
 * Returns the address for viewing a trace.
 *
 * @param page the address of all traces, in which `{traceId}` stands for the id, as it is or escaped
 */
export const traceAddress = (page: string, id: string): string => page.replaceAll(/\{traceId\}|%7BtraceId%7D/g, encodeURIComponent(id));
