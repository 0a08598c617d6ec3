import { GATEWAYS } from './gateways.ts';
import type { HandBuilt } from './hand-built.ts';
import { NETWORKS } from './networks.ts';
import { NODES } from './nodes.ts';
import { OPENSHIFT } from './openshift.ts';
import { PLATFORMS } from './platforms.ts';

/** All hand-built writes, with which the results of the search are compared. */
export const HAND_BUILT: readonly HandBuilt[] = [...GATEWAYS, ...NODES, ...OPENSHIFT, ...NETWORKS, ...PLATFORMS];
