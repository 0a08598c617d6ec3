import { GATEWAYS } from './gateways.ts';
import type { HandBuilt } from './hand-built.ts';
import { NETWORKS } from './networks.ts';
import { NODES } from './nodes.ts';
import { OPENSHIFT } from './openshift.ts';
import { PLATFORMS } from './platforms.ts';

/** All writes that were built by hand. */
export const HAND_BUILT: readonly HandBuilt[] = [...GATEWAYS, ...NODES, ...OPENSHIFT, ...NETWORKS, ...PLATFORMS];
