/** Returns the group of an apiVersion: the text before its slash. The result is empty for the core group. */
export const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

/** Returns the version of an apiVersion: the text after its slash. For the core group it is the whole text. */
export const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);
