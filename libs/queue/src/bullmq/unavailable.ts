/** Answers of a server that is there and cannot serve: memory full, loading, a replica, no master. */
const UNABLE = /^(?:OOM|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY) /;

/** Whether an error says that the storage behind the queue cannot be reached or cannot serve now, and not that something is wrong with us. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MaxRetriesPerRequestError' || error.message === 'Connection is closed.' || UNABLE.test(error.message);
}
