/** Returns the group of an apiVersion: what stands before its slash, nothing for the core group. */
export const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

/** Returns the version of an apiVersion: what stands after its slash, all of it in the core group. */
export const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);
