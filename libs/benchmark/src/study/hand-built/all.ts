import { GATEWAYS } from './gateways.ts';
import type { HandBuilt } from './hand-built.ts';
import { NETWORKS } from './networks.ts';
import { NODES } from './nodes.ts';
import { OPENSHIFT } from './openshift.ts';
import { PLATFORMS } from './platforms.ts';

/** All hand-built writes. The most expensive writes that the search finds are compared with them. */
export const HAND_BUILT: readonly HandBuilt[] = [...GATEWAYS, ...NODES, ...OPENSHIFT, ...NETWORKS, ...PLATFORMS];
