import { GATEWAYS } from './gateways.ts';
import type { HandBuilt } from './hand-built.ts';
import { NETWORKS } from './networks.ts';
import { NODES } from './nodes.ts';
import { OPENSHIFT } from './openshift.ts';
import { PLATFORMS } from './platforms.ts';

/**
 * All expensive test objects that a person built for rules of real definitions. A test compares their costs with the costs of the objects
 * that the automatic search finds.
 */
export const HAND_BUILT: readonly HandBuilt[] = [...GATEWAYS, ...NODES, ...OPENSHIFT, ...NETWORKS, ...PLATFORMS];
