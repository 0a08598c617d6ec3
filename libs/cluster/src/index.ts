// The address and credentials of a cluster.
export { findCluster } from './kubeconfig.ts';
export type { ClusterChoice } from './kubeconfig.ts';
export type { ClusterAddress } from './address.ts';

// Reading from a cluster.
export { ApiReader } from './api-reader.ts';
export type { ReaderSettings } from './api-reader.ts';
export { Cluster, pathOfObjects, pathOfResource, servedDefinition, writtenVersion } from './cluster.ts';
export { parsedJson } from './reading.ts';
export type { ClusterResource, ClusterVersion, ServedDefinition } from './cluster.ts';
export { ClusterList } from './object-list.ts';
export type { ClusterProblem, ClusterReading } from './reading.ts';

// Writing to a cluster: adding certificate authorities to webhooks, and sending a write at most once.
export { ApiWriter } from './api-writer.ts';
export type { ClusterWrite, WriteLimits, WriteOutcome } from './api-writer.ts';
export { addWebhookAuthority } from './webhook-authorities.ts';
export type { WebhookAuthority } from './webhook-authorities.ts';

// Temporary copies of definitions, with which Assay measures the time of rules.
export { copyDefinition, copyGroup, moveToGroup, newRunId } from './temporary/copy-definition.ts';
export type { CopyIdentity, LeftOutRules } from './temporary/copy-definition.ts';
export { findTemporary, PATIENCE, removeTemporary, TemporaryDefinitions } from './temporary/temporary-definitions.ts';
export type { Patience, Removal, TemporaryDefinition } from './temporary/temporary-definitions.ts';
export { sendPairs } from './temporary/send-pairs.ts';
export type { ComparedWrites, PairLimits, PairPorts, PairsOutcome, SentPairs, WritePair } from './temporary/send-pairs.ts';
