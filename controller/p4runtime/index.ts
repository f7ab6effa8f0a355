/**
 * `hpcc-plus-plus/p4runtime`: a P4Runtime 1.5 client. Everything by name, every value as text, one
 * outcome per update; it drives the embedded switch, bmv2 and whatever else speaks P4Runtime.
 *
 * @example
 * const client = await P4RuntimeClient.connect({
 *   name: 's1', address: '127.0.0.1:9559', deviceId: 0n, electionId: 1n, deadline: 5000,
 * });
 * await client.becomePrimary();
 *
 * @module p4runtime
 */
export { P4RuntimeClient } from './client';
export type { ClientOptions, EventOptions } from './client';
export { parseP4Info } from '../../common/p4runtime/load-p4info';
export type { P4InfoFormat } from '../../common/p4runtime/load-p4info';
export type { EntityUpdate, NamedEntity, UpdateType } from '../entities/named-entity';
export { InputError } from '../../common/errors';
