// Where a cluster is, and as whom it is asked.
export { findCluster } from './kubeconfig.ts';
export type { ClusterChoice } from './kubeconfig.ts';
export type { ClusterAddress } from './address.ts';

// What is read of it.
export { ApiReader } from './api-reader.ts';
export type { ReaderSettings } from './api-reader.ts';
export { Cluster, pathOfObjects, servedDefinition } from './cluster.ts';
export type { ClusterVersion, ServedDefinition } from './cluster.ts';
export { ClusterList } from './object-list.ts';
export type { ClusterProblem, ClusterReading } from './reading.ts';

// The one thing that is ever written, by who was told to.
export { ApiWriter } from './api-writer.ts';
export { addWebhookAuthority } from './webhook-authorities.ts';
export type { WebhookAuthority } from './webhook-authorities.ts';
