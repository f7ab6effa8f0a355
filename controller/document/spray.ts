/**
 * Policies by which a switch of hpcc-spray chooses among equal paths for each packet: chance, turns among the
 * packets to one host, or the shortest queue, of equal ones that whose turn it is.
 */
export const SPRAY_POLICIES = ['random', 'round-robin', 'least-queued'] as const;
export type SprayPolicy = (typeof SPRAY_POLICIES)[number];
