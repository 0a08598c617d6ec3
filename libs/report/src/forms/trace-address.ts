/**
 * Returns the address for viewing a trace.
 *
 * @param page address template for traces, in which `{traceId}`, literal or percent-encoded, is the placeholder for the id
 */
export const traceAddress = (page: string, id: string): string => page.replaceAll(/\{traceId\}|%7BtraceId%7D/g, encodeURIComponent(id));
